/// How the heart of a virtual runner follows what the work asks for: as strategies assume, or in ways that they do not, so that
/// a study shows what is left of a strategy whose model is wrong.
///
/// All of them lead to what the work asks for, and are as slow on the whole as the person's time constant says, unless noted.
package enum HeartShape: String, CaseIterable, Hashable, Sendable {
  /// `τ·dh/dt = s − h` with the steady heart rate `s` of the moment, to which an even drift is added.
  ///
  /// Source: Hunt, Fankhauser & Saengsuwan 2015, 10.1186/s12938-015-0112-7.
  case firstOrder = "first-order"
  /// Two phases beside each other: three quarters follow with τ/2, one quarter with 5τ/2, so that the mean delay is τ.
  ///
  /// Source of the form: Wang & Hunt 2021, 10.1186/s12938-021-00875-7, without its dead time. Of the numbers: none.
  case secondOrder = "second-order"
  /// First order to a steady heart rate that rises less and less: over the one at rest `1.5·R·r/(R + r)` in place of `r`, where
  /// `R` is the reserve. Both meet at rest and at half of the reserve, where the gain is two thirds of the straight line's.
  ///
  /// Source: none.
  case saturating
  /// First order, 20 s after the work.
  ///
  /// Source of the form: the dead time of Wang & Hunt 2021. Of 20 s: none; 9 s were fitted to one athlete (docs/evidence.md).
  case delayed
  /// First order, and in place of the even drift that of a body which gets warm: from `heatOnset` on the drift moves with a time
  /// constant of `heatSeconds` to `heatShare` of what the work raises the heart rate, so that who slows down drifts less.
  ///
  /// Source: none of the form. From the 10th minute to the 45th work that raises the heart rate from 65 to 130 bpm adds 17.9
  /// bpm, 14 %; in long or hot bouts 12 to 16 % were seen, beginning at about 10 min (which study is not recorded here).
  case heat

  /// When the drift of ``heat`` begins, in seconds.
  static let heatOnset = 600
  /// The time constant of the drift of ``heat`` in seconds.
  static let heatSeconds = 1_800.0
  /// Where the drift of ``heat`` ends, as a part of what the work raises the heart rate.
  static let heatShare = 0.4
  /// In ``secondOrder`` the part that follows fast, and both time constants as parts of the person's.
  static let phases = (fastShare: 0.75, fast: 0.5, slow: 2.5)

  /// How far the steady heart rate lies over the one at rest, in bpm, where the straight line says `rise`.
  ///
  /// - Parameter reserve: maximum less rest, in bpm.
  @inline(__always)
  func steadyRise(_ rise: Double, reserve: Double) -> Double {
    self == .saturating && rise > 0 ? 1.5 * reserve * rise / (reserve + rise) : rise
  }
}

/// A heart that moves second by second; a type for each ``HeartShape``, so that the loop knows which while it runs.
protocol HeartDynamics: Sendable {
  /// The heart of somebody who stands at the start.
  init(_ runner: VirtualRunner)
  /// The heart rate in bpm.
  var heartRate: Double { get }
  /// Goes on for the second with this number, in which the work asks for so many bpm over rest by the straight line or the oxygen cost.
  ///
  /// - Precondition: `rise` is not negative.
  mutating func follow(rise: Double, at second: Int, _ runner: VirtualRunner)
}

/// ``HeartShape/firstOrder``.
struct FirstOrderHeart: HeartDynamics {
  private(set) var heartRate: Double

  init(_ runner: VirtualRunner) { heartRate = runner.startBPM }

  @inline(__always)
  mutating func follow(rise: Double, at second: Int, _ runner: VirtualRunner) {
    heartRate = runner.heartRate(after: heartRate, rise: rise, drift: runner.traits.driftPerSecond * Double(second))
  }
}

/// ``HeartShape/saturating``.
struct SaturatingHeart: HeartDynamics {
  private(set) var heartRate: Double

  init(_ runner: VirtualRunner) { heartRate = runner.startBPM }

  @inline(__always)
  mutating func follow(rise: Double, at second: Int, _ runner: VirtualRunner) {
    let rise = HeartShape.saturating.steadyRise(
      rise, reserve: runner.traits.maximumHeartRate - runner.traits.restingHeartRate)
    heartRate = runner.heartRate(
      after: heartRate, rise: rise, drift: runner.traits.driftPerSecond * Double(second))
  }
}

/// ``HeartShape/secondOrder``.
struct TwoPhaseHeart: HeartDynamics {
  private var fast: Double
  private var slow: Double

  init(_ runner: VirtualRunner) {
    fast = runner.startBPM
    slow = runner.startBPM
  }

  var heartRate: Double { HeartShape.phases.fastShare * fast + (1 - HeartShape.phases.fastShare) * slow }

  @inline(__always)
  mutating func follow(rise: Double, at second: Int, _ runner: VirtualRunner) {
    let steady = runner.steady(rise: rise, drift: runner.traits.driftPerSecond * Double(second))
    fast += (steady - fast) * min(1, runner.heartGain / HeartShape.phases.fast)
    slow += (steady - slow) * (runner.heartGain / HeartShape.phases.slow)
  }
}

/// ``HeartShape/delayed``.
struct DelayedHeart: HeartDynamics {
  private(set) var heartRate: Double
  /// What the work of the last seconds asked for, in bpm; the place is the second modulo the dead time.
  private var asked: InlineArray<20, Double>

  init(_ runner: VirtualRunner) {
    heartRate = runner.startBPM
    asked = InlineArray(repeating: runner.startBPM)
  }

  @inline(__always)
  mutating func follow(rise: Double, at second: Int, _ runner: VirtualRunner) {
    let place = second % asked.count
    let steady = asked[place]
    asked[place] = runner.steady(rise: rise, drift: runner.traits.driftPerSecond * Double(second))
    heartRate += (steady - heartRate) * runner.heartGain
  }
}

/// ``HeartShape/heat``.
struct WarmHeart: HeartDynamics {
  private(set) var heartRate: Double
  /// The drift so far in bpm.
  private var drift = 0.0

  init(_ runner: VirtualRunner) { heartRate = runner.startBPM }

  @inline(__always)
  mutating func follow(rise: Double, at second: Int, _ runner: VirtualRunner) {
    if second >= HeartShape.heatOnset {
      drift += (HeartShape.heatShare * rise - drift) / HeartShape.heatSeconds
    }
    heartRate = runner.heartRate(after: heartRate, rise: rise, drift: drift)
  }
}

/// Any heart that hears of the work later, by the delay of its runner, which may be none. Its drift is of the time and not of the work,
/// and not late, as in what is fitted to recordings.
struct LateHeart<Dynamics: HeartDynamics>: HeartDynamics {
  private var heart: Dynamics
  /// What the work of the last seconds asked for, in bpm over rest; the place is the second modulo the delay.
  private var rises = InlineArray<20, Double>(repeating: 0)

  init(_ runner: VirtualRunner) { heart = Dynamics(runner) }

  var heartRate: Double { heart.heartRate }

  @inline(__always)
  mutating func follow(rise: Double, at second: Int, _ runner: VirtualRunner) {
    guard runner.delaySeconds > 0 else { return heart.follow(rise: rise, at: second, runner) }
    let place = second % runner.delaySeconds
    let late = rises[place]
    rises[place] = rise
    // Until the first work is answered the heart is as at the start.
    if second >= runner.delaySeconds { heart.follow(rise: late, at: second, runner) }
  }
}
