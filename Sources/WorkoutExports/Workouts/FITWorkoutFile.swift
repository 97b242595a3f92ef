internal import Recordings
package import WorkoutSession
package import ZoneEngine

/// Why a plan cannot be written as a workout.
package struct WorkoutFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The step, what is wrong with it and what was expected.
  package let description: String
}

/// Writes a plan as a FIT workout.
///
/// A zone is written as the number of a zone, which a watch takes for one of its own; ranges as beats per minute, paces and
/// speeds as metres per second within the paces that somebody can be asked for, a cadence in strides of one leg up to 120 steps of both
/// feet, which readers double, else in those steps. Equal steps of a bracket are written once, with a step that
/// repeats them.
package enum FITWorkoutFile {
  private typealias Profile = FITWorkoutProfile
  /// The longest name in bytes.
  private static let longestName = 64

  /// Writes the whole file.
  ///
  /// - Parameters:
  ///   - plan: the plan.
  ///   - zones: the zones that its targets are read in.
  ///   - name: what the watch calls it.
  /// - Throws: ``WorkoutFileError`` for a target that has no place in FIT or is none, and what `output` throws.
  package static func write(
    _ plan: PlanRequest, in zones: HeartRateZones, name: String, to output: (Span<UInt8>) throws -> Void
  ) throws {
    let entries = try entries(plan, zones)
    var file = FITFile()
    file.define(
      0, FITProfile.Message.fileID,
      [
        .init(FITProfile.Written.fileType, .enumeration), .init(FITProfile.FileID.manufacturer, .uint16),
        .init(FITProfile.FileID.product, .uint16),
      ])
    file.begin(0)
    file.append(Profile.workoutFile)
    file.append(UInt16(FITProducts.development))
    file.append(UInt16(0))
    let title = FITFile.text(name, atMost: longestName)
    file.define(
      1, Profile.workout,
      [
        .init(Profile.sport, .enumeration), .init(Profile.stepCount, .uint16),
        .init(Profile.workoutName, .string, bytes: title.count + 1),
      ])
    file.begin(1)
    file.append(UInt8(clamping: FITSport.number(named: "running") ?? 1))
    file.append(UInt16(entries.count))
    file.append(title)
    for (index, entry) in entries.enumerated() { entry.write(index, to: &file) }
    try file.write(to: output)
  }

  /// A step of the file.
  private struct Entry {
    var name: [UInt8] = []
    var durationKind = Profile.untilLap
    var duration = UInt32.max
    var targetKind = Profile.open
    var target: UInt32 = 0
    var lowest = UInt32.max
    var highest = UInt32.max
    var intensity = UInt8.max

    func write(_ index: Int, to file: inout FITFile) {
      file.define(
        2, Profile.step,
        [
          .init(Profile.index, .uint16), .init(Profile.stepName, .string, bytes: name.count + 1),
          .init(Profile.durationKind, .enumeration), .init(Profile.duration, .uint32),
          .init(Profile.targetKind, .enumeration), .init(Profile.target, .uint32), .init(Profile.lowest, .uint32),
          .init(Profile.highest, .uint32), .init(Profile.intensity, .enumeration),
        ])
      file.begin(2)
      file.append(UInt16(index))
      file.append(name)
      file.append(UInt8(durationKind))
      file.append(duration)
      file.append(UInt8(targetKind))
      file.append(target)
      file.append(lowest)
      file.append(highest)
      file.append(intensity)
    }
  }

  private static func entries(_ plan: PlanRequest, _ zones: HeartRateZones) throws -> [Entry] {
    var entries: [Entry] = []
    var index = 0
    while index < plan.steps.count {
      let block = bracket(plan.steps, from: index)
      let start = entries.count
      for place in index..<index + block.length {
        entries.append(try entry(plan.steps[place], zones, number: place + 1))
      }
      if block.times > 1 {
        entries.append(
          Entry(durationKind: Profile.repetition, duration: UInt32(start), target: UInt32(block.times)))
      }
      index += block.length * block.times
    }
    return entries
  }

  /// How many steps from one on are done how often.
  private static func bracket(_ steps: [PlanRequest.Step], from index: Int) -> (length: Int, times: Int) {
    guard let first = steps[index].repetition, first.number == 1, first.count > 1 else { return (1, 1) }
    let length = steps[index...].prefix { $0.repetition == first }.count
    guard index + length * first.count <= steps.count else { return (1, 1) }
    for number in 1..<first.count {
      for place in 0..<length {
        let (one, other) = (steps[index + place], steps[index + number * length + place])
        guard other.repetition == StepRepetition(number: number + 1, count: first.count), one.name == other.name,
          one.length == other.length, one.target == other.target
        else { return (1, 1) }
      }
    }
    return (length, first.count)
  }

  /// The limits of a speed as it can be read again, as a pace of a run: the tolerance of a single one does not reach beyond.
  private static func speeds(_ values: [Double], _ request: TargetRequest) throws(ZoneError) -> [Double] {
    let unit = QuantityUnit.secondsPerKilometer
    let paces = QuantityBand.plausible(unit)
    let (slowest, fastest) = (unit.value(ofShown: paces.upperBound), unit.value(ofShown: paces.lowerBound))
    guard values[1] >= slowest, values[0] <= fastest else {
      throw ZoneError.target(
        text: request.text,
        expected: "another one: a FIT workout of a run has paces of \(QuantityBand.number(paces.lowerBound, unit)) to "
          + "\(QuantityBand.number(paces.upperBound, unit))/km")
    }
    return values.map { min(fastest, max(slowest, $0)) }
  }

  /// What a plan has that a workout has no place for, a line each.
  package static func losses(of plan: PlanRequest) -> [String] {
    func steps(_ isLost: (PlanRequest.Step) -> Bool) -> String? {
      let numbers = plan.steps.indices.filter { isLost(plan.steps[$0]) }.map { $0 + 1 }
      guard let first = numbers.first else { return nil }
      return numbers.count == 1 ? "step \(first)" : "step \(first) and \(numbers.count - 1) more"
    }
    return [
      steps { $0.activity != nil }.map { "\($0): a FIT workout has no place for whether to walk or to run: left out" },
      steps { FITFile.text($0.name ?? "", atMost: longestName) != Array(($0.name ?? "").utf8) }.map {
        "\($0): a name with control characters or of over \(longestName) bytes: written without them and cut"
      },
    ].compactMap(\.self)
  }

  private static func entry(
    _ step: PlanRequest.Step, _ zones: HeartRateZones, number: Int
  ) throws -> Entry {
    var entry = Entry()
    entry.name = FITFile.text(step.name ?? "", atMost: longestName)
    entry.intensity = Profile.writtenIntensities[step.name ?? ""] ?? Profile.active
    switch step.length {
    case .untilLap: break
    case .time(let time): (entry.durationKind, entry.duration) = (Profile.byTime, UInt32(time.nanoseconds / 1_000_000))
    case .distance(let meters):
      (entry.durationKind, entry.duration) = (Profile.byDistance, UInt32((meters * 100).rounded()))
    }
    guard let request = step.target else { return entry }
    do throws(ZoneError) {
      switch try request.target(in: zones) {
      case .open: break
      case .zone(let zone): (entry.targetKind, entry.target) = (Profile.byHeartRate, UInt32(zone))
      case .range(let lower, let upper):
        (entry.targetKind, entry.lowest, entry.highest) = (
          Profile.byHeartRate, UInt32(lower + 100), UInt32(upper + 100)
        )
      case .quantity(let band):
        let values = [band.lower, band.upper].map { band.unit.value(ofShown: $0) }.sorted()
        switch band.quantity {
        case .gradeAdjustedPace:
          throw ZoneError.target(text: request.text, expected: "another one: a FIT workout has no grade-adjusted pace")
        case .alpha1:
          throw ZoneError.target(text: request.text, expected: "another one: a FIT workout has no α1")
        case .pace, .speed:
          let speeds = try Self.speeds(values, request)
          (entry.targetKind, entry.lowest, entry.highest) = (
            Profile.bySpeed, UInt32((speeds[0] * 1_000).rounded()), UInt32((speeds[1] * 1_000).rounded())
          )
        case .cadence:
          let possible = QuantityBand.plausible(.stepsPerMinute)
          let lower = max(values[0], Double(possible.lowerBound))
          let upper = min(values[1], Double(possible.upperBound))
          let strides = upper <= Double(Profile.mostStrides) ? 2.0 : 1
          (entry.targetKind, entry.lowest, entry.highest) = (
            Profile.byCadence, UInt32((lower / strides).rounded(.down)), UInt32((upper / strides).rounded(.up))
          )
        }
      }
    } catch {
      throw WorkoutFileError(description: "step \(number): \(error)")
    }
    return entry
  }
}
