internal import TextFormats
package import WorkoutSession

/// Something that people want to know of a live session beside its cues, as a terminal's screen shows it for a while.
package struct LiveNotice: Sendable {
  /// What it is about.
  enum Content: Sendable {
    /// Something that happened, which ``EventWording`` has words for.
    case event(SessionEvent)
    /// What the session found out about its streams and stamps.
    case sentence(String)
  }

  /// The most Unicode scalars of one: the name of a device may be as long as a line.
  package static let longest = 200

  /// Its number in the session, from 1.
  let number: Int
  let content: Content

  /// For how long it is shown, in seconds.
  package var shownSeconds: Int {
    switch content {
    case .event: 6
    case .sentence: 10
    }
  }

  /// Its words, in the units of whoever reads: one line in which everything is shown that is there, of ``longest`` scalars at most.
  package func text(in units: UnitSystem) -> String {
    let words =
      switch content {
      case .event(let event): EventWording.texts(of: event, in: units)?.first ?? ""
      case .sentence(let text): text
      }
    let scalars = words.visible.unicodeScalars
    guard scalars.count > Self.longest else { return String(scalars) }
    return String(String.UnicodeScalarView(scalars.prefix(Self.longest - 1))) + "…"
  }
}

/// The newest notices of a session, while somebody looks at it. Only its shard looks into it.
final class LiveNotices {
  /// How many are kept: whoever looks does so each second.
  private static let mostKept = 16

  private var kept: [LiveNotice] = []
  /// The number of the newest one; 0 before the first.
  private(set) var last: Int

  /// Nothing yet; `last` is the number of the newest one that was kept before.
  init(after last: Int) { self.last = last }

  /// Takes what came of a piece of input, in its order.
  func note(_ events: [SessionEvent], _ sentences: [String]) {
    for event in events where EventWording.texts(of: event, in: .metric) != nil { keep(.event(event)) }
    for sentence in sentences { keep(.sentence(sentence)) }
  }

  private func keep(_ content: LiveNotice.Content) {
    last += 1
    kept.append(LiveNotice(number: last, content: content))
    if kept.count > Self.mostKept { kept.removeFirst() }
  }

  /// Those after one of them, oldest first.
  func after(_ number: Int) -> [LiveNotice] { kept.filter { $0.number > number } }
}
