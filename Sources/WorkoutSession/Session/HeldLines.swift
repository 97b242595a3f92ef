internal import TextFormats

/// A sample of a live session that waits for others to show where it lies.
struct HeldSample: Sendable {
  let sample: LiveSample
  let feed: LiveFeed
  let arrival: WallClockTime
}

/// A command that came while it was open where the session begins.
struct HeldCommand: Sendable {
  let command: SessionCommand
  let id: String
  let stamp: Stamp?
  let feed: LiveFeed?
  let arrival: WallClockTime
}

/// What came before it was known where a live session begins: samples, and commands while samples waited.
struct HeldLines: Sendable {
  /// What waits.
  enum Line: Sendable {
    case sample(HeldSample)
    case command(HeldCommand)
  }

  private var lines: [Line] = []

  /// Whether nothing waits.
  var isEmpty: Bool { lines.isEmpty }

  /// Lets a line wait behind the others.
  mutating func hold(_ line: Line) { lines.append(line) }

  /// The sample that came after so many others.
  ///
  /// - Precondition: it waits.
  func sample(_ index: Int) -> HeldSample {
    lines.compactMap { if case .sample(let sample) = $0 { sample } else { nil } }[index]
  }

  /// All in the order in which they came, which wait no more.
  mutating func takeAll() -> [Line] {
    defer { lines.removeAll() }
    return lines
  }
}
