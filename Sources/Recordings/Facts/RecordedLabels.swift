internal import ActivityRecognition
public import ZoneEngine

/// What somebody noted while a recording was made, such as `WALKING`: from a time on, until the next.
public struct RecordedLabel: Hashable, Sendable {
  /// The longest text that is kept, in characters.
  static let longest = ActivityLabel.mostCharacters

  /// From when on it holds.
  public let time: SessionTime
  /// The text; empty where nothing holds any more.
  public let text: String

  /// Creates a label.
  public init(_ text: String, at time: SessionTime) {
    self.time = time
    self.text = text
  }
}

/// The labels of a recording in order of time, and how many rows each has.
public struct RecordedLabels: Sendable {
  /// The most changes of the label, and the most texts, that are kept.
  package static let largestCount = 100_000
  static let mostTexts = 1_000

  /// How much of a recording has a label.
  public struct Share: Hashable, Sendable {
    /// The label.
    public let text: String
    /// Rows that have it.
    public fileprivate(set) var rows = 0
    /// Stretches without another one between.
    public fileprivate(set) var spans = 0
    /// How long they are together.
    public fileprivate(set) var duration = SessionTime.zero
  }

  /// Every change, in order of time.
  public private(set) var changes: [RecordedLabel] = []
  /// Changes that were left out because there were too many.
  private(set) var leftOut = 0
  /// Whether there were too many texts, and whether there were too many changes.
  private var (isBeyondTexts, isBeyondChanges) = (false, false)

  private var rows: [String: Int] = [:]
  private var texts: [String] = []
  private var current: [UInt8] = []
  private var text = ""

  init() {}

  /// What was too many of the changes that were left out; `nil` where that is the number of changes alone.
  var limit: String? {
    guard isBeyondTexts else { return nil }
    return "\(Self.mostTexts) texts" + (isBeyondChanges ? " and \(Self.largestCount) changes" : "")
  }

  /// Whether there is none.
  public var isEmpty: Bool { texts.isEmpty }

  /// Takes the label of a row that has the same as the row before, as the bytes of its field; whether it has.
  mutating func repeats(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count == current.count, bytes.indices.allSatisfy({ bytes[$0] == current[$0] }) else { return false }
    if !text.isEmpty { rows[text, default: 0] += 1 }
    return true
  }

  /// Takes the label of another row, as the bytes of its field and as text; empty where it has none.
  mutating func admit(_ bytes: Span<UInt8>, _ label: String, at time: SessionTime) {
    current = bytes.indices.map { bytes[$0] }
    change(to: String(label.prefix(RecordedLabel.longest)), at: time)
    if !text.isEmpty { rows[text, default: 0] += 1 }
  }

  private mutating func change(to new: String, at time: SessionTime) {
    guard new != text else { return }
    guard changes.count < Self.largestCount, rows[new] != nil || texts.count < Self.mostTexts else {
      leftOut += 1
      if changes.count < Self.largestCount { isBeyondTexts = true } else { isBeyondChanges = true }
      text = ""
      return
    }
    text = new
    changes.append(RecordedLabel(new, at: time))
    if !new.isEmpty, rows[new] == nil {
      rows[new] = 0
      texts.append(new)
    }
  }

  /// Puts the changes in order, with all times later by a span.
  mutating func order(shiftedBy shift: SessionTime) {
    changes = changes.map { RecordedLabel($0.text, at: $0.time + shift) }.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
  }

  /// Leaves out what was noted before the start and after the end, but for the label that holds at the start.
  mutating func cut(until end: SessionTime) {
    let before = changes.last { $0.time < .zero }
    changes.removeAll { $0.time < .zero || $0.time > end }
    if let before, changes.first?.time != .zero { changes.insert(RecordedLabel(before.text, at: .zero), at: 0) }
  }

  /// What each label comes to, in the order in which they were first seen, in a recording that ends at `end`.
  public func shares(until end: SessionTime) -> [Share] {
    var shares: [String: Share] = [:]
    for (index, change) in changes.enumerated() where !change.text.isEmpty {
      let until = index + 1 < changes.count ? changes[index + 1].time : end
      var share = shares[change.text] ?? Share(text: change.text, rows: rows[change.text] ?? 0)
      share.spans += 1
      share.duration += max(.zero, until - change.time)
      shares[change.text] = share
    }
    return texts.compactMap { shares[$0] }
  }
}
