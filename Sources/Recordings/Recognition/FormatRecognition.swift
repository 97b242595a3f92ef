extension RecordingFormat {
  /// The format that begins with these bytes; a CSV when nothing else does.
  public init(beginning bytes: Span<UInt8>) {
    if Self.isUTF16(bytes) {
      // Of ASCII letters, one byte of two is 0.
      var letters: [UInt8] = []
      for index in bytes.indices.dropFirst(2) where bytes[index] != 0 { letters.append(bytes[index]) }
      self.init(beginning: letters.span)
    } else if bytes.count >= 12, (8..<12).allSatisfy({ bytes[$0] == Array(".FIT".utf8)[$0 - 8] }) {
      self = .fit
    } else if Self.contains("<HealthData", in: bytes) || Self.contains("<!DOCTYPE HealthData", in: bytes) {
      self = .appleHealth
    } else if Self.contains("<gpx", in: bytes) {
      self = .gpx
    } else if Self.contains("TrainingCenterDatabase", in: bytes) {
      self = .tcx
    } else if Self.beginsArrayOfObjects(bytes) {
      self = .sensoGatherJSON
    } else if Self.beginsHealthExport(bytes) {
      self = .healthAutoExport
    } else if PolarHRMDecoder.isBeginning(bytes) {
      self = .polarHRM
    } else if IntervalListDecoder.unit(beginning: bytes) != nil {
      self = .intervalList
    } else {
      self = .csv
    }
  }

  /// Whether bytes begin a gzip file.
  package static func isPacked(_ bytes: Span<UInt8>) -> Bool {
    bytes.count >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B
  }

  /// Whether bytes begin a clinical document, which exports of Apple Health have beside the export itself.
  static func isClinicalDocument(_ bytes: Span<UInt8>) -> Bool { contains("<ClinicalDocument", in: bytes) }

  /// The first bytes of what is packed by gzip in a file that begins with `bytes`; `bytes` when nothing is.
  static func unpackedBeginning(_ bytes: [UInt8]) -> [UInt8] {
    guard isPacked(bytes.span) else { return bytes }
    let stream = GzipStream(BeginningDecoder(), limits: .standard)
    // A piece of a gzip file is no whole one; what it gives is enough to look at.
    try? stream.feed(bytes.span) { _ in }
    return stream.decoder.beginning
  }

  /// Whether a text begins with `[` and `{`, or is an empty array.
  private static func beginsArrayOfObjects(_ bytes: Span<UInt8>) -> Bool {
    let bracket = firstWord(of: bytes, from: 0)
    guard bracket < bytes.count, bytes[bracket] == UInt8(ascii: "[") else { return false }
    let next = firstWord(of: bytes, from: bracket + 1)
    return next < bytes.count && (bytes[next] == UInt8(ascii: "{") || bytes[next] == UInt8(ascii: "]"))
  }

  /// Whether a text begins with an object whose first member is an object `data`.
  private static func beginsHealthExport(_ bytes: Span<UInt8>) -> Bool {
    var index = 0
    for word in ["{", "\"data\"", ":", "{"] {
      index = firstWord(of: bytes, from: index)
      let letters = Array(word.utf8)
      guard bytes.count >= index + letters.count, letters.indices.allSatisfy({ bytes[index + $0] == letters[$0] })
      else { return false }
      index += letters.count
    }
    return true
  }

  /// Where the first byte stands that is neither space nor, at the beginning, a byte order mark.
  private static func firstWord(of bytes: Span<UInt8>, from start: Int) -> Int {
    var index = start
    if start == 0, bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { index = 3 }
    while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    return index
  }

  /// Whether a text begins with a byte order mark of UTF-16, as some XML does.
  private static func isUTF16(_ bytes: Span<UInt8>) -> Bool {
    bytes.count >= 2 && (bytes[0] == 0xFF && bytes[1] == 0xFE || bytes[0] == 0xFE && bytes[1] == 0xFF)
  }

  /// Whether a text that begins like XML contains a word.
  private static func contains(_ word: String, in bytes: Span<UInt8>) -> Bool {
    let start = firstWord(of: bytes, from: 0)
    guard start < bytes.count, bytes[start] == UInt8(ascii: "<") else { return false }
    let letters = Array(word.utf8)
    guard bytes.count >= start + letters.count else { return false }
    for offset in start...(bytes.count - letters.count)
    where letters.indices.allSatisfy({ bytes[offset + $0] == letters[$0] }) {
      return true
    }
    return false
  }
}
