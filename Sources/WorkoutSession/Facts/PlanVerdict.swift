package import ZoneEngine

/// What became of the steps of a plan that ask for something: a heart rate, a pace, a speed, a cadence, α1.
///
/// A step has ``allowance(for:)`` to come into its target, because a heart needs a minute or two to follow the legs, and a mean
/// the time that it is over; short steps have half of their time. It is in target when what it asks for comes there in time and
/// stays there for at least ``leastShare`` of the seconds with a value from then on; late when it comes there later and stays so.
/// Seconds are those of the active session; a heart rate is the displayed one that is held, as for time in zone, another quantity
/// the one that the engine holds, from 2 s after its reading on.
package struct PlanVerdict: Hashable, Sendable {
  /// How a step went.
  package enum Result: String, CaseIterable, Hashable, Sendable {
    /// In time, and for long enough.
    case inTarget
    /// Long enough, but not in time.
    case late
    /// Not long enough; most of the rest was under the target: too slow, or too easy.
    case tooLow
    /// Not long enough; most of the rest was over it.
    case tooHigh
    /// Under half of the time in which it should be in target has a value.
    case noData
    /// The session ended before the step.
    case cutShort
  }

  /// A step that asks for something.
  package struct Step: Hashable, Sendable {
    /// Its number in the plan, from 1.
    package let number: Int
    /// What it is called.
    package let name: String?
    /// What it asks for; absent for a heart rate.
    package let quantity: TargetQuantity?
    /// When it began.
    package let start: SessionTime
    /// Active seconds.
    package let activeSeconds: Int
    /// Active seconds with a value of what it asks for.
    package let coveredSeconds: Int
    /// Seconds in the target.
    package let inTargetSeconds: Int
    /// Active seconds until it was in the target for the first time; absent when it never was.
    package let secondsToTarget: Int?
    /// The seconds of ``secondsToTarget`` beyond what the step is allowed; absent in time, and when it never was there.
    package let lateSeconds: Int?
    /// How it went.
    package let result: Result

    /// Creates a step from its parts.
    package init(
      number: Int, name: String?, quantity: TargetQuantity?, start: SessionTime, activeSeconds: Int,
      coveredSeconds: Int, inTargetSeconds: Int,
      secondsToTarget: Int?, lateSeconds: Int?, result: Result
    ) {
      self.number = number
      self.name = name
      self.quantity = quantity
      self.start = start
      self.activeSeconds = activeSeconds
      self.coveredSeconds = coveredSeconds
      self.inTargetSeconds = inTargetSeconds
      self.secondsToTarget = secondsToTarget
      self.lateSeconds = lateSeconds
      self.result = result
    }
  }

  /// The seconds that a step has to come into its target; at most half of it.
  ///
  /// Source, of a heart rate: half a minute or so is its time constant at the onset of exercise (V. Bunc and others 1988, Kinetics
  /// of heart rate responses to exercise, J Sports Sci 6:39; the full text was not read), two of them are 86 %. Of a pace, a speed and a cadence: the 10 s of which it is the mean, the 2 s after
  /// which a reading counts, and 8 s to find the pace, which is an assumption. Of α1: the two minutes of its window, the 5 s
  /// between windows, and 2 s.
  package static func allowance(for quantity: TargetQuantity?) -> Int {
    switch quantity {
    case nil: 60
    case .pace, .speed, .cadence, .gradeAdjustedPace: 20
    case .alpha1: 127
    }
  }
  /// The same of a step of some active seconds, which may be short.
  static func allowance(for quantity: TargetQuantity?, ofSeconds activeSeconds: Int) -> Int {
    min(allowance(for: quantity), activeSeconds / 2)
  }

  /// The smallest share of the covered seconds from then on. Source: an assumption.
  package static let leastShare = 0.75

  /// How a step kept to its target.
  ///
  /// - Parameters:
  ///   - quantity: what it asks for; `nil` for a heart rate.
  ///   - activeSeconds: how long it was.
  ///   - secondsToTarget: when it was in its target for the first time; `nil` when it never was.
  ///   - inside: the seconds in the target among those that count.
  ///   - counted: the seconds with a value that count.
  /// - Returns: by how many seconds it came too late, `nil` in time and when it never was there, and whether it stayed there for
  ///   long enough.
  package static func keeping(
    _ quantity: TargetQuantity?, activeSeconds: Int, secondsToTarget: Int?, inside: Double, ofCounted counted: Double
  ) -> (lateSeconds: Int?, isLongEnough: Bool) {
    let allowance = allowance(for: quantity, ofSeconds: activeSeconds)
    let late = secondsToTarget.flatMap { $0 > allowance ? $0 - allowance : nil }
    return (late, inside >= leastShare * counted)
  }

  /// The steps in the order in which they began.
  package let steps: [Step]

  /// A verdict of steps; `nil` for none.
  package init?(steps: [Step]) {
    guard !steps.isEmpty else { return nil }
    self.steps = steps
  }

  /// The steps that count: the efforts, where steps are called so, else all of them.
  package var judged: [Step] {
    let efforts = steps.filter(\.isEffort)
    return efforts.isEmpty ? steps : efforts
  }

  /// Whether ``judged`` are efforts.
  package var isOfEfforts: Bool { steps.contains(where: \.isEffort) }

  /// How many of ``judged`` are in target.
  package var inTarget: Int { judged.count { $0.result == .inTarget } }
}

extension PlanVerdict.Step {
  /// Whether it is called an effort, or an interval.
  fileprivate var isEffort: Bool {
    let words = name?.lowercased() ?? ""
    return words.hasPrefix("effort") || words.hasPrefix("interval")
  }

  /// Judges a step by what was held at each of its seconds: heart rates, or sides of another quantity.
  ///
  /// - Parameter isCut: whether the session ended before it.
  init(
    _ begun: PlanCourse.Begun, target: ResolvedTarget, _ held: ArraySlice<UInt8>, isCut: Bool
  ) {
    let active = held.filter { $0 != HeldSeconds.paused }
    let quantity = target.quantity?.quantity
    let sides = active.map { value -> TargetSide? in
      guard quantity == nil else { return TargetSide(heldValue: value) }
      return value == HeldSeconds.none ? nil : target.side(ofDisplayedBPM: Int(value))
    }
    let allowance = PlanVerdict.allowance(for: quantity, ofSeconds: active.count)
    let arrival = sides.firstIndex(of: .inside)
    let due = sides[allowance...]
    let counted = sides[max(allowance, arrival ?? 0)...]
    let covered = counted.compactMap(\.self)
    let (late, isLongEnough) = PlanVerdict.keeping(
      quantity, activeSeconds: active.count, secondsToTarget: arrival,
      inside: Double(covered.count { $0 == .inside }), ofCounted: Double(covered.count))
    let result: PlanVerdict.Result
    if isCut {
      result = .cutShort
    } else if due.count(where: { $0 != nil }) * 2 < due.count || covered.isEmpty {
      result = .noData
    } else if isLongEnough {
      result = late == nil ? .inTarget : .late
    } else {
      result = covered.count { $0 == .under } >= covered.count { $0 == .over } ? .tooLow : .tooHigh
    }
    self.init(
      number: begun.number, name: begun.step.name, quantity: quantity, start: begun.start, activeSeconds: active.count,
      coveredSeconds: sides.count { $0 != nil }, inTargetSeconds: sides.count { $0 == .inside },
      secondsToTarget: arrival, lateSeconds: late, result: result)
  }
}

/// When the steps of a plan began, until somebody asks for another target.
struct PlanCourse: Sendable {
  /// A step that began.
  struct Begun: Sendable {
    let number: Int
    let step: TrainingPlan.Step
    let start: SessionTime
    let target: ResolvedTarget?
    /// When it was over; absent for the one that was under way when the session ended.
    fileprivate(set) var end: SessionTime?
  }

  private var begun: [Begun] = []
  /// Whether the metres of the step that was under way when the session ended were covered.
  private var isLastCovered = false

  /// Takes note of a step, which ends the one before; without one the plan is over.
  mutating func begin(_ step: TrainingPlan.Step?, number: Int, at time: SessionTime, target: ResolvedTarget?) {
    end(at: time)
    guard let step else { return }
    begun.append(Begun(number: number, step: step, start: time, target: target))
  }

  /// The step under way is over, and none follows.
  mutating func end(at time: SessionTime) {
    guard let last = begun.indices.last, begun[last].end == nil else { return }
    begun[last].end = time
  }

  /// The session is over; the last step may have had all of its metres, though it would have ended a moment later.
  mutating func finish(isCovered: Bool) { isLastCovered = isCovered }

  /// What became of the steps, by the heart rates that were held at each second of a session that is over, and the sides of the
  /// quantities that were asked for.
  func verdict(heartRates: [UInt8], sides: [UInt8]) -> PlanVerdict? {
    PlanVerdict(
      steps: begun.compactMap { begun -> PlanVerdict.Step? in
        guard let target = begun.target else { return nil }
        let held = target.quantity == nil ? heartRates : sides
        let from = min(Self.second(begun.start), held.count)
        let until = max(from, begun.end.map { min(Self.second($0), held.count) } ?? held.count)
        let isWhole = begun.step.distanceMeters == nil ? Self.isWhole(begun.step, held[from..<until]) : isLastCovered
        let isCut = begun.end == nil && begun.step.length != .untilLap && !isWhole
        return PlanVerdict.Step(begun, target: target, held[from..<until], isCut: isCut)
      })
  }

  /// Whether a step that was under way at the end had come to its own end to the second.
  private static func isWhole(_ step: TrainingPlan.Step, _ held: ArraySlice<UInt8>) -> Bool {
    guard let duration = step.duration else { return false }
    return Double(held.count { $0 != HeldSeconds.paused }) + 1 >= duration.seconds
  }

  /// The first whole second that is not before a time.
  private static func second(_ time: SessionTime) -> Int {
    Int(clamping: (time.nanoseconds + 999_999_999) / 1_000_000_000)
  }
}
