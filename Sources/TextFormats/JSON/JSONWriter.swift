/// Writes JSON in the order it is given, into a buffer of bytes that can be used again.
///
/// Compact JSON is one line; pretty JSON has a line for every member and element, indented by two spaces.
/// Nothing is written for an absent optional, its key included.
package struct JSONWriter: Sendable {
  /// How the text is laid out.
  package enum Layout: Hashable, Sendable {
    /// Everything on one line without spaces.
    case compact
    /// A line for each member and element.
    case pretty
  }

  /// What was written so far.
  package private(set) var bytes: [UInt8] = []
  private let layout: Layout
  private var depth = 0
  private var needsComma = false
  private var followsKey = false

  /// Creates an empty writer.
  package init(_ layout: Layout = .compact) { self.layout = layout }

  /// What was written so far, as text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Forgets what was written and keeps the memory.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    depth = 0
    needsComma = false
    followsKey = false
  }

  /// What was written since the last time; the text goes on where it was, so that a long one can be taken in pieces.
  package mutating func takeBytes() -> [UInt8] {
    let taken = bytes
    bytes = []
    bytes.reserveCapacity(taken.capacity)
    return taken
  }

  /// Ends a finished value with a line feed, so that the next one can follow.
  ///
  /// - Precondition: every object and array was ended.
  package mutating func endLine() {
    precondition(depth == 0 && !followsKey, "a JSON line ends outside of every object and array")
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  /// Begins an object.
  package mutating func beginObject() { begin(UInt8(ascii: "{")) }

  /// Ends an object.
  package mutating func endObject() { end(UInt8(ascii: "}")) }

  /// Begins an array.
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }

  /// Ends an array.
  package mutating func endArray() { end(UInt8(ascii: "]")) }

  /// Writes an object with the members that `body` writes.
  package mutating func object<E>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
    beginObject()
    try body(&self)
    endObject()
  }

  /// Writes an array with the elements that `body` writes.
  package mutating func array<E>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
    beginArray()
    try body(&self)
    endArray()
  }

  /// A compact writer of some elements of an array that another one has begun, and ends: its bytes stand between those of the
  /// other as they are.
  ///
  /// - Parameter follows: whether there are elements before.
  package static func elements(follows: Bool) -> JSONWriter {
    var writer = JSONWriter()
    writer.depth = 1
    writer.needsComma = follows
    return writer
  }

  /// Makes room for some bytes behind those that are written.
  package mutating func reserveCapacity(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

  /// Writes the key of a member; its value must follow.
  package mutating func key(_ key: JSONKey) {
    precondition(!followsKey, "a JSON key is followed by its value")
    switch (key.name, layout) {
    case (.literal(let name), .compact): Self.appendKey(name, isFirst: !needsComma, to: &bytes)
    case (.literal(let name), .pretty):
      separate()
      Self.appendQuoted(name, to: &bytes)
      bytes.append(contentsOf: ": ".utf8)
    case (.text(let name), _):
      separate()
      Self.appendQuoted(name, to: &bytes)
      bytes.append(contentsOf: (layout == .pretty ? ": " : ":").utf8)
    }
    followsKey = true
  }

  /// Writes `null`.
  package mutating func null() { literal("null") }

  /// Writes a truth value.
  package mutating func value(_ value: Bool) { literal(value ? "true" : "false") }

  /// Writes a string.
  package mutating func value(_ value: String) {
    separate()
    Self.appendQuoted(value, to: &bytes)
    needsComma = true
  }

  /// Writes a whole number.
  package mutating func value(_ value: Int64) {
    separate()
    DecimalFormat.append(value, to: &bytes)
    needsComma = true
  }

  /// Writes a whole number.
  package mutating func value(_ value: Int) { self.value(Int64(value)) }

  /// Writes the shortest number that reads back the same, whole ones without a point.
  ///
  /// - Precondition: `value` is finite.
  package mutating func value(_ value: Double) {
    precondition(value.isFinite, "JSON has no number for \(value)")
    separate()
    DecimalFormat.appendShortest(value, to: &bytes)
    needsComma = true
  }

  /// Writes nanoseconds as exact seconds.
  package mutating func value(secondsFromNanoseconds nanoseconds: Int64) {
    separate()
    DecimalFormat.append(seconds: nanoseconds, to: &bytes)
    needsComma = true
  }

  /// Writes an instant as an ISO 8601 string in UTC.
  package mutating func value(_ time: WallClockTime) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    time.appendISO8601(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// Writes a parsed value; numbers as they were written.
  package mutating func value(_ value: JSONValue) {
    switch value.content {
    case .null: null()
    case .bool(let truth): self.value(truth)
    case .number(let number): literal(number.text)
    case .string(let text): self.value(text)
    case .array(let elements):
      beginArray()
      for element in elements { self.value(element) }
      endArray()
    case .object(let members):
      beginObject()
      for member in members {
        key(JSONKey(member.key))
        self.value(member.value)
      }
      endObject()
    }
  }

  private mutating func literal(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
    needsComma = true
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    depth += 1
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    precondition(depth > 0 && !followsKey, "a JSON object or array ends once, after its last value")
    depth -= 1
    if layout == .pretty, needsComma { newLine() }
    bytes.append(bracket)
    needsComma = true
  }

  /// Writes what stands between two values, or between a bracket and the first one.
  private mutating func separate() {
    if followsKey {
      followsKey = false
      return
    }
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    if layout == .pretty, depth > 0 { newLine() }
  }

  private mutating func newLine() {
    bytes.append(UInt8(ascii: "\n"))
    for _ in 0..<depth { bytes.append(contentsOf: "  ".utf8) }
  }
}
