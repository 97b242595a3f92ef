/// Turns at something, in the order in which they are asked for: some go beside each other, as many as there are places, and who goes
/// alone waits for them and has all who come later wait.
///
/// It only says who goes: whoever waits is let go by those who have the queue.
struct TurnQueue<Asking> {
  /// How somebody has a turn.
  enum Kind: Hashable, Sendable {
    case besideOthers, alone
  }

  private let width: Int
  /// How many go beside each other.
  private var sharing = 0
  private var isTakenAlone = false
  /// Those that wait, the first to go first.
  private var waiting: [(kind: Kind, asking: Asking)] = []

  /// Nobody has a turn.
  ///
  /// - Parameter width: how many go beside each other, one at least.
  init(width: Int = .max) { self.width = width }

  /// Whether nobody has a turn, or waits for one.
  var isIdle: Bool { sharing == 0 && !isTakenAlone && waiting.isEmpty }

  /// Somebody asks for a turn.
  ///
  /// - Returns: those whose turn it is by that: who asks, or nobody.
  mutating func ask(_ asking: Asking, for kind: Kind) -> [Asking] {
    waiting.append((kind, asking))
    return next()
  }

  /// Somebody who had a turn has ended it.
  ///
  /// - Returns: those whose turn it is now.
  mutating func end(_ kind: Kind) -> [Asking] {
    switch kind {
    case .besideOthers: sharing -= 1
    case .alone: isTakenAlone = false
    }
    return next()
  }

  private mutating func next() -> [Asking] {
    var going: [Asking] = []
    while let first = waiting.first, mayGo(first.kind) {
      switch first.kind {
      case .besideOthers: sharing += 1
      case .alone: isTakenAlone = true
      }
      going.append(waiting.removeFirst().asking)
    }
    return going
  }

  private func mayGo(_ kind: Kind) -> Bool {
    switch kind {
    case .besideOthers: !isTakenAlone && sharing < width
    case .alone: !isTakenAlone && sharing == 0
    }
  }
}
