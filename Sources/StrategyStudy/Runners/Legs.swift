/// The speed of a virtual runner: what it was corrected to, what is on its way, and how fast the legs go.
struct Legs {
  /// The longest time from a cue to the change, in seconds.
  static let longestLatency = 31

  /// The speed in m/s that cues and steering have led to.
  private(set) var corrected: Double
  /// The speed in m/s of this second.
  private(set) var speed: Double
  /// Changes as parts of the speed, by the second of their effect.
  private var pending = InlineArray<32, Double>(repeating: 0)

  /// Begins at the speed that the runner prefers.
  init(_ runner: VirtualRunner) {
    corrected = runner.preferredSpeed
    speed = runner.preferredSpeed
  }

  /// Changes the speed by a part of it in a later second, at most 31 s from now.
  mutating func change(by part: Double, at second: Int) { pending[second & Self.longestLatency] += part }

  /// Changes the corrected speed at once.
  mutating func correct(by difference: Double, _ runner: VirtualRunner) {
    corrected = runner.possible(corrected + difference)
  }

  /// Makes the changes that are due in a second.
  @inline(__always)
  mutating func takeEffect(in second: Int, _ runner: VirtualRunner) {
    let part = pending[second & Self.longestLatency]
    if part != 0 {
      pending[second & Self.longestLatency] = 0
      corrected = runner.possible(corrected * (1 + part))
    }
  }

  /// Slides back to the preferred speed.
  @inline(__always)
  mutating func relapse(_ seconds: Double, _ runner: VirtualRunner) {
    corrected += (runner.preferredSpeed - corrected) / seconds
  }

  /// Goes for a second towards a speed.
  @inline(__always)
  mutating func go(towards wanted: Double, pace noise: Double, _ runner: VirtualRunner) {
    speed += (runner.possible(wanted * (1 + noise)) - speed) * runner.speedGain
  }
}
