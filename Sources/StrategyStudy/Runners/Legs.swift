/// The speed of a virtual runner: what it was corrected to, what is on its way, and how fast the legs go.
struct Legs {
  /// The longest time from a cue to the change, in seconds.
  static let longestLatency = 31

  /// The speed in m/s that cues and steering have led to.
  var corrected: Double
  /// The speed in m/s of the last second.
  var speed: Double
  /// The second in which the next change takes effect; `Int.max` when none is on its way.
  private(set) var nextEffect = Int.max
  /// Changes as parts of the speed, by the second of their effect.
  private var pending = InlineArray<32, Double>(repeating: 0)

  /// Begins at the speed that the runner prefers.
  init(_ runner: VirtualRunner) {
    corrected = runner.preferredSpeed
    speed = runner.preferredSpeed
  }

  /// Changes the speed by a part of it in a later second, at most 31 s from now.
  mutating func change(by part: Double, at second: Int) {
    pending[second & Self.longestLatency] += part
    nextEffect = min(nextEffect, second)
  }

  /// Makes the changes that are due in a second, if there are any.
  @inline(__always)
  mutating func takeEffect(in second: Int, _ runner: VirtualRunner) {
    if second == nextEffect { takeNext(runner) }
  }

  private mutating func takeNext(_ runner: VirtualRunner) {
    let slot = nextEffect & Self.longestLatency
    corrected = runner.possible(corrected * (1 + pending[slot]))
    pending[slot] = 0
    let now = nextEffect
    nextEffect = (now + 1...now + Self.longestLatency).first { pending[$0 & Self.longestLatency] != 0 } ?? .max
  }

  /// Changes the corrected speed at once.
  mutating func correct(by difference: Double, _ runner: VirtualRunner) {
    corrected = runner.possible(corrected + difference)
  }
}
