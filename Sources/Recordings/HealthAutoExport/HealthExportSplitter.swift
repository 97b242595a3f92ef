internal import TextFormats

/// Splits what Health Auto Export writes, `{"data":{"metrics":[{"name":…,"data":[{…}]}]}}`, that comes in pieces of any size,
/// into the entries of its metrics.
///
/// Only braces, brackets, strings and the names on the way are looked at: whether an entry is well formed is for its reader to
/// judge. The entries are the same wherever the text was cut into pieces.
/// - Complexity: O(n); the memory is that of the longest entry.
struct HealthExportSplitter: Sendable {
  /// The most bytes that an entry may have.
  static let largestEntry = 64 << 10
  /// The most values inside each other.
  static let deepest = 64
  /// How many bytes of a name on the way are kept: those that matter are shorter.
  private static let longestWord = 100
  private static let metricDepth = 4
  private static let entryDepth = 6

  /// What was found.
  enum Part {
    /// A metric begins.
    case metric
    /// A text of the metric, such as its name.
    case word(key: String, value: String)
    /// An entry of the metric, and the bytes of the text before it.
    case entry([UInt8], byteOffset: Int)
    /// The metric is over.
    case end
  }

  private var depth = 0
  /// Whether what is open at each depth is an object.
  private var objects = [Bool](repeating: false, count: deepest + 1)
  /// The last key at the depths on the way.
  private var keys = [String](repeating: "", count: metricDepth + 1)
  private var isKeyNext = false
  private var isInString = false
  private var isEscaped = false
  private var word: [UInt8] = []
  private var isInMetric = false
  private var entry: [UInt8]?
  private var entryOffset = 0
  private var offset = 0
  private var isOver = false

  /// How many workouts stand beside the metrics, and where the first does; nothing of them is read.
  private(set) var workouts: (count: Int, firstOffset: Int) = (0, 0)

  /// Where the first byte stands that follows the text; `nil` when nothing but space does.
  private(set) var trailingOffset: Int?

  /// Takes the next piece of the text.
  ///
  /// - Throws: `DecodingProblem` when it cannot be read on, or what `body` throws.
  mutating func feed(
    _ bytes: Span<UInt8>, _ body: (Part) throws(DecodingProblem) -> Void
  ) throws(DecodingProblem) {
    for index in bytes.indices {
      let byte = bytes[index]
      if entry != nil { try keep(byte) }
      if isInString {
        try takeInString(byte, body)
      } else {
        try take(byte, body)
      }
      offset += 1
    }
  }

  /// Ends the text.
  ///
  /// - Throws: `DecodingProblem` when it ends inside of something.
  func finish() throws(DecodingProblem) {
    guard isOver else { throw problem("expected the rest of the JSON object, found its end") }
  }

  private func problem(_ text: String) -> DecodingProblem { DecodingProblem(position: "byte \(offset)", problem: text) }

  private mutating func keep(_ byte: UInt8) throws(DecodingProblem) {
    guard entry?.count ?? 0 < Self.largestEntry else {
      throw DecodingProblem(
        position: "byte \(entryOffset)",
        problem: "expected entries of at most \(Self.largestEntry) bytes, found a longer one")
    }
    entry?.append(byte)
  }

  private mutating func takeInString(
    _ byte: UInt8, _ body: (Part) throws(DecodingProblem) -> Void
  ) throws(DecodingProblem) {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
      return try endString(body)
    }
    if depth <= Self.metricDepth, word.count < Self.longestWord { word.append(byte) }
  }

  private mutating func endString(_ body: (Part) throws(DecodingProblem) -> Void) throws(DecodingProblem) {
    guard depth <= Self.metricDepth else { return }
    let text = String(decoding: word, as: UTF8.self)
    if isKeyNext {
      keys[depth] = text
    } else if isInMetric, depth == Self.metricDepth {
      try body(.word(key: keys[depth], value: text))
    }
  }

  private mutating func take(
    _ byte: UInt8, _ body: (Part) throws(DecodingProblem) -> Void
  ) throws(DecodingProblem) {
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D: break
    case 0xEF where offset == 0, 0xBB where offset == 1, 0xBF where offset == 2: break
    case _ where isOver: trailingOffset = trailingOffset ?? offset
    case _ where depth == 0 && byte != UInt8(ascii: "{"):
      throw problem("expected a JSON object, found \(JSONError.name(byte))")
    case UInt8(ascii: "\""):
      isInString = true
      word.removeAll(keepingCapacity: true)
    case UInt8(ascii: "{"), UInt8(ascii: "["): try open(isObject: byte == UInt8(ascii: "{"), body)
    case UInt8(ascii: "}"), UInt8(ascii: "]"): try close(isObject: byte == UInt8(ascii: "}"), body)
    case UInt8(ascii: ","): isKeyNext = objects[depth]
    case UInt8(ascii: ":"): isKeyNext = false
    default: break
    }
  }

  private mutating func open(
    isObject: Bool, _ body: (Part) throws(DecodingProblem) -> Void
  ) throws(DecodingProblem) {
    guard depth < Self.deepest else {
      throw problem("expected at most \(Self.deepest) values inside each other, found more")
    }
    depth += 1
    objects[depth] = isObject
    isKeyNext = isObject
    if depth <= Self.metricDepth { keys[depth] = "" }
    guard isObject else { return }
    if depth == Self.metricDepth, objects[1], objects[2], !objects[3], keys[1] == "data", keys[2] == "metrics" {
      isInMetric = true
      try body(.metric)
    } else if depth == Self.metricDepth, objects[1], objects[2], !objects[3], keys[1] == "data", keys[2] == "workouts" {
      workouts = (workouts.count + 1, workouts.count == 0 ? offset : workouts.firstOffset)
    } else if depth == Self.entryDepth, isInMetric, !objects[5], keys[Self.metricDepth] == "data" {
      entry = [UInt8(ascii: "{")]
      entryOffset = offset
    }
  }

  private mutating func close(
    isObject: Bool, _ body: (Part) throws(DecodingProblem) -> Void
  ) throws(DecodingProblem) {
    guard objects[depth] == isObject else {
      throw problem("expected the end of \(isObject ? "an array" : "an object"), found that of another")
    }
    if depth == Self.entryDepth, let entry {
      self.entry = nil
      try body(.entry(entry, byteOffset: entryOffset))
    }
    if depth == Self.metricDepth, isInMetric {
      isInMetric = false
      try body(.end)
    }
    depth -= 1
    isKeyNext = false
    isOver = depth == 0
  }
}
