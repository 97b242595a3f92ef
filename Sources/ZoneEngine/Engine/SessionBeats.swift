/// The beats of a session, which take no more room than a reference while there is none.
struct SessionBeats: Hashable, Sendable {
  private struct Course: Hashable, Sendable {
    var window = BeatWindow()
    var nextEnd: SessionTime?
    var newest: BeatVariability?
    var refusal: WithholdingReason?
  }

  private var box: [Course] = []

  /// The intervals of the last two minutes; absent without any.
  var window: BeatWindow? { box.first?.window }
  /// The end of the window that is judged next; absent where none is waited for.
  var nextEnd: SessionTime? { box.first?.nextEnd }
  /// The newest window that could be used.
  var newest: BeatVariability? { box.first?.newest }
  /// Why the newest window could not be used; absent when it could, and where none was judged.
  var refusal: WithholdingReason? { box.first?.refusal }

  mutating func admit(_ milliseconds: Double, at time: SessionTime) -> Bool {
    if box.isEmpty { box.append(Course()) }
    return box[0].window.admit(milliseconds, at: time)
  }

  /// Waits for the window that ends at a time, or for none.
  mutating func wait(for end: SessionTime?) {
    if !box.isEmpty { box[0].nextEnd = end }
  }

  /// Takes note of what the newest window comes to, or why it cannot be used.
  mutating func note(_ variability: BeatVariability?, _ refusal: WithholdingReason?) {
    guard !box.isEmpty else { return }
    if let variability { box[0].newest = variability }
    box[0].refusal = refusal
  }

  /// Forgets everything, as a pause asks for.
  mutating func interrupt() { box = [] }
}
