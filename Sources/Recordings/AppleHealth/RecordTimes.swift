/// The times of many records at four bytes each, in pieces, so that growing copies nothing.
struct RecordTimes: Sendable {
  private static let chunkCount = 64 << 10

  private(set) var chunks: [[UInt32]] = []

  /// How many times there are.
  var count: Int { chunks.isEmpty ? 0 : (chunks.count - 1) * Self.chunkCount + (chunks.last?.count ?? 0) }

  mutating func append(_ time: AppleHealthTime) {
    if chunks.last?.count ?? Self.chunkCount == Self.chunkCount { chunks.append([]) }
    chunks[chunks.count - 1].append(time.seconds)
  }

  /// Puts every piece in order for itself.
  mutating func sortChunks() {
    for index in chunks.indices { chunks[index].sort() }
  }
}

/// Gives times of several sorted pieces in one order.
///
/// - Complexity: O(n log k) for n times in k pieces, and O(n) where the pieces follow each other.
struct RecordTimeMerge {
  private struct Head {
    var time: UInt32
    let chunk: Int
    var index: Int
  }

  private let chunks: [[UInt32]]
  /// A heap with the earliest first.
  private var heads: [Head] = []

  /// Creates a merge of pieces, each of them in order.
  init(_ chunks: [[UInt32]]) {
    self.chunks = chunks
    for (number, chunk) in chunks.enumerated() where !chunk.isEmpty {
      heads.append(Head(time: chunk[0], chunk: number, index: 0))
    }
    // A list in order is a heap.
    heads.sort { $0.time < $1.time }
  }

  /// Gives every time to `body`, the earliest first.
  package mutating func forEach(_ body: (AppleHealthTime) -> Void) {
    while var head = heads.first {
      let chunk = chunks[head.chunk]
      let limit = secondEarliest
      while head.index < chunk.count, chunk[head.index] <= limit {
        body(AppleHealthTime(seconds: chunk[head.index]))
        head.index += 1
      }
      if head.index < chunk.count {
        head.time = chunk[head.index]
        heads[0] = head
      } else {
        heads[0] = heads[heads.count - 1]
        heads.removeLast()
      }
      sink()
    }
  }

  private var secondEarliest: UInt32 {
    var time = UInt32.max
    for child in 1...2 where child < heads.count { time = min(time, heads[child].time) }
    return time
  }

  /// Lets the first head sink to its place.
  private mutating func sink() {
    var index = 0
    while true {
      var least = index
      for child in 2 * index + 1...2 * index + 2 where child < heads.count && heads[child].time < heads[least].time {
        least = child
      }
      guard least != index else { return }
      heads.swapAt(index, least)
      index = least
    }
  }
}
