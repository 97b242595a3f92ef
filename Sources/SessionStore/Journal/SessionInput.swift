package import TextFormats
package import WorkoutSession

/// What was taken of a live session, kept so that another process can go on with it: taking the same again, at the same times
/// of arrival, makes the same session.
///
/// The file `inputs.log` has one after another, while the session runs. All numbers are little-endian:
///
/// ```
/// count    UInt32   how many bytes follow
/// kind     UInt8    1 lines, 2 time that passed, 3 the end, 4 lines of which not all were taken
/// arrival  Int64    the time of day, in nanoseconds since 1970
/// before   Int64    the time of day to which time had passed before without anything coming of it; 0 for none
/// 1: source UInt32, connection UInt32 (of a service the mark of the sender, 0 in older files), batch UInt64 (0 for none), then the bytes of the lines
/// 2: nothing, or how far the clock of the machine was set forward since the session began, Int64: then nothing was taken
/// 3: the reason, as text
/// 4: the number of the first line that was not taken, UInt32, then as 1
/// ```
package struct SessionInput: Hashable, Sendable {
  /// What there was.
  package enum Content: Hashable, Sendable {
    /// Whole lines of a sender, the hash of the name that it gave them, 0 for none, and the number of the first line that was not
    /// taken; absent where all were.
    case lines([UInt8], LiveFeed, batch: UInt64, nextLine: Int?)
    /// Time, of which something came.
    case time
    /// Nothing: by now the clock of the machine was set forward by so many nanoseconds since the session began, negative for back. The
    /// times of arrival do not show that.
    case setClock(by: Int64)
    /// The end.
    case end(SessionEvent.EndReason)
  }

  /// What there was.
  package let content: Content
  /// When it came.
  package let arrival: WallClockTime
  /// Until when time had passed before without anything coming of it; absent where it had not.
  package let timeBefore: WallClockTime?

  /// Creates an input.
  package init(_ content: Content, arrival: WallClockTime, timeBefore: WallClockTime?) {
    self.content = content
    self.arrival = arrival
    self.timeBefore = timeBefore
  }

  private static let countBytes = 4
  private static let headBytes = 17
  /// No clock is set by more than 36 years.
  private static let longestSetting: UInt64 = 1 << 60

  /// Appends it to the bytes of a file.
  package func append(to bytes: inout [UInt8]) {
    switch content {
    case .lines(let lines, let feed, let batch, let nextLine):
      bytes.reserveCapacity(bytes.count + 4 + Self.headBytes + 20 + lines.count)
      if let nextLine {
        appendHead(4, 20 + lines.count, to: &bytes)
        bytes.appendLittleEndian(UInt32(truncatingIfNeeded: nextLine))
      } else {
        appendHead(1, 16 + lines.count, to: &bytes)
      }
      bytes.appendLittleEndian(UInt32(truncatingIfNeeded: feed.source))
      bytes.appendLittleEndian(UInt32(truncatingIfNeeded: feed.connection))
      bytes.appendLittleEndian(batch)
      bytes += lines
    case .time: appendHead(2, 0, to: &bytes)
    case .setClock(let nanoseconds):
      appendHead(2, 8, to: &bytes)
      bytes.appendLittleEndian(UInt64(bitPattern: nanoseconds))
    case .end(let reason):
      let reason = Array(reason.rawValue.utf8)
      appendHead(3, reason.count, to: &bytes)
      bytes += reason
    }
  }

  private func appendHead(_ kind: UInt8, _ count: Int, to bytes: inout [UInt8]) {
    bytes.appendLittleEndian(UInt32(Self.headBytes + count))
    bytes.append(kind)
    bytes.appendLittleEndian(UInt64(bitPattern: arrival.nanoseconds))
    bytes.appendLittleEndian(UInt64(bitPattern: timeBefore?.nanoseconds ?? 0))
  }

  /// Reads the inputs of a file, in order; what is cut off at the end was never answered.
  ///
  /// - Returns: how many bytes they have; what follows them is cut off, or damaged.
  @discardableResult
  package static func forEach(of bytes: Span<UInt8>, _ body: (SessionInput) -> Void) -> Int {
    var place = 0
    while bytes.count - place >= countBytes + headBytes {
      let count = Int(bytes.littleEndian(UInt32.self, at: place))
      guard count >= headBytes, count <= bytes.count - place - countBytes else { return place }
      guard let input = SessionInput(bytes.extracting(place + countBytes..<place + countBytes + count)) else {
        return place
      }
      body(input)
      place += countBytes + count
    }
    return place
  }

  /// How many bytes an input has by what it begins with, those of the count among them; `nil` where not even that is there.
  static func byteCount(ofFirstIn bytes: Span<UInt8>) -> Int? {
    bytes.count < countBytes ? nil : countBytes + Int(bytes.littleEndian(UInt32.self, at: 0))
  }

  private init?(_ bytes: Span<UInt8>) {
    arrival = WallClockTime(nanoseconds: Int64(bitPattern: bytes.littleEndian(UInt64.self, at: 1)))
    let before = Int64(bitPattern: bytes.littleEndian(UInt64.self, at: 9))
    timeBefore = before == 0 ? nil : WallClockTime(nanoseconds: before)
    let kind = bytes[0]
    var rest = bytes.extracting(Self.headBytes..<bytes.count)
    switch kind {
    case 1, 4:
      var nextLine: Int?
      if kind == 4 {
        guard rest.count >= 4 else { return nil }
        nextLine = Int(rest.littleEndian(UInt32.self, at: 0))
        rest = rest.extracting(4..<rest.count)
      }
      guard rest.count >= 16 else { return nil }
      let feed = LiveFeed(
        source: Int(rest.littleEndian(UInt32.self, at: 0)), connection: Int(rest.littleEndian(UInt32.self, at: 4)))
      var lines: [UInt8] = []
      lines.append(span: rest.extracting(16..<rest.count))
      content = .lines(lines, feed, batch: rest.littleEndian(UInt64.self, at: 8), nextLine: nextLine)
    case 2 where rest.count >= 8:
      let nanoseconds = Int64(bitPattern: rest.littleEndian(UInt64.self, at: 0))
      guard nanoseconds.magnitude <= Self.longestSetting else { return nil }
      content = .setClock(by: nanoseconds)
    case 2: content = .time
    case 3:
      var text: [UInt8] = []
      text.append(span: rest)
      guard let reason = SessionEvent.EndReason(rawValue: String(decoding: text, as: UTF8.self)) else { return nil }
      content = .end(reason)
    default: return nil
    }
  }
}
