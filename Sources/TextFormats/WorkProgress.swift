/// How far a long piece of work has come.
package struct WorkProgress: Hashable, Sendable {
  /// How much is done.
  package let done: Int
  /// How much there is in all.
  package let total: Int

  /// Creates a state of work.
  package init(done: Int, total: Int) {
    self.done = done
    self.total = total
  }
}
