/// When sessions are due, in nanoseconds of the clock that nobody sets, the earliest first: a heap in which a session stands once or twice, however often its time changes.
///
/// A time that moves back is put in anew, and one that moves on is found when the old one comes; so a session that is fed each
/// second costs nothing here.
struct DueTimes: Sendable {
  private struct Entry: Sendable {
    let nanoseconds: Int64
    let session: SessionNumber
  }

  private var heap: [Entry] = []

  /// The earliest time; absent when nothing is due.
  var earliest: Int64? { heap.first?.nanoseconds }

  /// How many entries there are.
  var count: Int { heap.count }

  /// Puts a session in.
  ///
  /// - Complexity: O(log n).
  mutating func insert(_ session: SessionNumber, at nanoseconds: Int64) {
    heap.append(Entry(nanoseconds: nanoseconds, session: session))
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].nanoseconds < heap[parent].nanoseconds else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  /// Takes out the earliest session whose time has come; `nil` when there is none.
  ///
  /// - Complexity: O(log n).
  mutating func removeFirst(until now: Int64) -> (session: SessionNumber, time: Int64)? {
    guard let first = heap.first, first.nanoseconds <= now else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      sink()
    }
    return (first.session, first.nanoseconds)
  }

  private mutating func sink() {
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if heap[child].nanoseconds < heap[least].nanoseconds { least = child }
      }
      guard least != parent else { return }
      heap.swapAt(least, parent)
      parent = least
    }
  }
}
