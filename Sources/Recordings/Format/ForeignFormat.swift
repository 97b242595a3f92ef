package import TextFormats

/// What a file that is no recording of a known format seems to be, by its first bytes.
///
/// Text that no sign speaks against may be a CSV and has none.
package enum ForeignFormat {
  /// What is read, for messages.
  static let expected =
    "FIT, GPX, TCX, an export of Apple Health or Health Auto Export, Polar HRM, a list of RR intervals, "
    + "a CSV with a header such as time,heart_rate "
    + "or SensoGather's JSON"

  /// The name of what begins with these bytes, such as `a PNG image`; `nil` for what may be a CSV.
  static func name(beginning bytes: Span<UInt8>) -> String? {
    for (signature, offset, name) in signatures where has(signature, at: offset, in: bytes) { return name }
    let start = firstVisible(in: bytes)
    guard start < bytes.count else { return nil }
    switch bytes[start] {
    case UInt8(ascii: "<"): return markup(in: bytes, from: start)
    case UInt8(ascii: "{"): return "a JSON object"
    case UInt8(ascii: "["):
      let next = (start + 1..<bytes.count).first { !isSpace(bytes[$0]) }
      guard let next, isLetter(bytes[next]) else { return "a JSON array" }
      return "a text of sections in brackets"
    default: break
    }
    if has(samsungTable, at: start, in: bytes) { return "a table of the personal data from Samsung Health" }
    // Damage further on costs rows, not the file.
    let header = bytes.indices.prefix { bytes[$0] != 0x0A }
    return header.contains { isBinary(bytes[$0]) } ? "binary data" : nil
  }

  /// The error about a file that seems to be something else; `nil` for what may be a CSV.
  package static func error(_ path: String, beginning bytes: Span<UInt8>) -> RecordingError? {
    guard let name = name(beginning: bytes) else { return nil }
    if let export = export(ofObject: bytes) { return error(path, export) }
    let start = firstVisible(in: bytes)
    let isSamsung = start < bytes.count && has(samsungTable, at: start, in: bytes)
    return error(path, Export(what: name, instead: isSamsung ? samsungInstead : nil))
  }

  /// Whether bytes begin a JSON object that is another program's export by the names in it. One with a `version` may be a file
  /// of coach, such as a scenario.
  package static func isExport(object bytes: Span<UInt8>) -> Bool {
    export(ofObject: bytes) != nil && !XMLStream.string(bytes).contains("\"version\"")
  }

  private static func export(ofObject bytes: Span<UInt8>) -> Export? {
    let start = firstVisible(in: bytes)
    guard start < bytes.count, bytes[start] == UInt8(ascii: "{") else { return nil }
    return Export(object: XMLStream.string(bytes).lowercased())
  }

  /// The error about an array of objects of which nothing could be read, where it is another program's; `nil` where it may be
  /// SensoGather's.
  static func arrayError(_ path: String, beginning bytes: Span<UInt8>) -> RecordingError? {
    Export(array: XMLStream.string(bytes).lowercased()).map { error(path, $0) }
  }

  private static func error(_ path: String, _ export: Export) -> RecordingError {
    let instead = export.instead.map { ", such as \($0)" } ?? ""
    return RecordingError(
      path: path, position: "byte 0", problem: "this seems to be \(export.what): expected \(expected)\(instead)")
  }

  /// An export of another program, and what of the same can be read.
  fileprivate struct Export {
    let what: String
    let instead: String?
  }

  fileprivate static let fitbitInstead = "Fitbit's TCX of an exercise"
  fileprivate static let samsungInstead = "the GPX of an exercise that Samsung Health shares"
  fileprivate static let garminInstead = "the FIT file of an activity from Garmin Connect"
  fileprivate static let stravaStreams = "the streams of an activity from Strava's web interface"
  fileprivate static let google = "a session or measurements from Google Fit"
  fileprivate static let stravaInstead = "the FIT, TCX or GPX file of an activity from Strava"
  fileprivate static let googleInstead = "the TCX of an activity in the same export"
  /// How the first line of each of its tables begins: `com.samsung.shealth.exercise,6313004,9`.
  private static let samsungTable = Array("com.samsung.".utf8)

  private static let signatures: [(signature: [UInt8], offset: Int, name: String)] = [
    (Array("%PDF".utf8), 0, "a PDF document"), ([0x89] + Array("PNG".utf8), 0, "a PNG image"),
    ([0xFF, 0xD8, 0xFF], 0, "a JPEG image"), (Array("GIF8".utf8), 0, "a GIF image"),
    (Array("SQLite format 3".utf8), 0, "an SQLite database"), (Array("RIFF".utf8), 0, "a RIFF file such as WAV"),
    (Array("ftyp".utf8), 4, "an MP4 file"), ([0x7F] + Array("ELF".utf8), 0, "a program"),
    (Array("BZh".utf8), 0, "a bzip2 archive"), ([0xFD] + Array("7zXZ".utf8), 0, "an xz archive"),
    (Array("7z".utf8) + [0xBC, 0xAF], 0, "a 7z archive"), ([0x28, 0xB5, 0x2F, 0xFD], 0, "a zstd archive"),
    (Array("Rar!".utf8), 0, "a RAR archive"), (Array("ustar".utf8), 257, "a tar archive"),
    ([0xD0, 0xCF, 0x11, 0xE0], 0, "an old Office document"), ([0xFF, 0xFE], 0, "a text in UTF-16"),
    ([0xFE, 0xFF], 0, "a text in UTF-16"),
  ]

  private static func has(_ signature: [UInt8], at offset: Int, in bytes: Span<UInt8>) -> Bool {
    bytes.count >= offset + signature.count
      && signature.indices.allSatisfy { bytes[offset + $0] == signature[$0] }
  }

  /// An XML or HTML text by its first element, a fragment of one too.
  private static func markup(in bytes: Span<UInt8>, from start: Int) -> String? {
    var index = start
    while let open = (index..<bytes.count).first(where: { bytes[$0] == UInt8(ascii: "<") }), open + 1 < bytes.count {
      let first = open + (bytes[open + 1] == UInt8(ascii: "/") ? 2 : 1)
      var name: [UInt8] = []
      while first + name.count < bytes.count, name.count < 40, isNamePart(bytes[first + name.count]) {
        name.append(bytes[first + name.count])
      }
      guard name.isEmpty else {
        let word = String(decoding: name, as: UTF8.self)
        return word.lowercased() == "html" ? "an HTML page" : "XML that begins with <\(word)>"
      }
      index = open + 1
    }
    return "XML without an element"
  }

  private static func firstVisible(in bytes: Span<UInt8>) -> Int {
    let start = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
    return (start..<bytes.count).first { !isSpace(bytes[$0]) } ?? bytes.count
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
  private static func isNamePart(_ byte: UInt8) -> Bool {
    isLetter(byte) || (0x30...0x39).contains(byte) || [0x2D, 0x2E, 0x3A, 0x5F].contains(byte)
  }

  /// Whether no text has a byte: a control character other than those of lines, columns and pages.
  private static func isBinary(_ byte: UInt8) -> Bool {
    byte < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D, 0x1A, 0x1B].contains(byte) || byte == 0x7F
  }
}

extension ForeignFormat.Export {
  /// The export whose array of objects begins like this, in small letters; `nil` for one that is not known.
  fileprivate init?(array text: String) {
    func has(_ key: String) -> Bool { text.contains("\"\(key)\"") }
    guard !has("timestamp") else { return nil }
    if has("summarizedactivitiesexport") {
      self.init(what: "the list of activities from Garmin Connect", instead: ForeignFormat.garminInstead)
      return
    }
    if has("series_type") {
      self.init(what: ForeignFormat.stravaStreams, instead: ForeignFormat.stravaInstead)
      return
    }
    let what: String
    let isFitbit = has("datetime") || has("logid")
    if has("datetime"), has("bpm") {
      what = "the heart rates of a day from Fitbit"
    } else if has("datetime"), has("value") {
      what = "the steps, metres or the like of a day from Fitbit"
    } else if has("logid"), has("activityname") || has("dateofsleep") {
      what = has("activityname") ? "the list of exercises from Fitbit" : "the list of sleep from Fitbit"
    } else if has("start_time"), Self.samsungKeys.contains(where: has) {
      what = "measurements of an exercise or a day from Samsung Health"
    } else {
      return nil
    }
    self.init(what: what, instead: isFitbit ? ForeignFormat.fitbitInstead : ForeignFormat.samsungInstead)
  }

  private static let samsungKeys = [
    "heart_rate", "end_time", "latitude", "cadence", "distance", "speed", "step_count", "count", "calorie", "altitude",
  ]

  /// The export whose object begins like this, in small letters; `nil` for one that is not known.
  fileprivate init?(object text: String) {
    guard let (_, what, instead) = Self.objects.first(where: { $0.keys.allSatisfy(text.contains) }) else { return nil }
    self.init(what: what, instead: instead)
  }

  /// What names in an object, in small letters, show it to be.
  private static let objects: [(keys: [String], what: String, instead: String?)] = [
    (["\"activities-"], "an answer of Fitbit's web interface", ForeignFormat.fitbitInstead),
    (
      ["\"exportversion\"", "\"exercises\""], "a training session from the data export of Polar Flow",
      "the TCX, GPX or CSV of a session from Polar Flow"
    ),
    (
      ["\"metricdescriptors\""], "the details of an activity from Garmin Connect's web interface",
      ForeignFormat.garminInstead
    ),
    (["\"series_type\""], ForeignFormat.stravaStreams, ForeignFormat.stravaInstead),
    (["\"fitnessactivity\""], ForeignFormat.google, ForeignFormat.googleInstead),
    (["\"data source\"", "\"data points\""], ForeignFormat.google, ForeignFormat.googleInstead),
    (["\"devicelog\""], "a move from Suunto", "its FIT or GPX file"),
    (["\"featurecollection\""], "a GeoJSON document", nil),
  ]
}
