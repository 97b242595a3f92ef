import ActivityRecognition
import Recordings
import SessionStore
import TextFormats
import WorkoutSession
import ZoneEngine

/// The motion of a recorded session with the labels that were put on it, as a recording to learn from.
struct LabelledSession {
  private let folder: String
  /// The log.
  private let name: String

  /// The session whose log of motion is at a path; `nil` where that is another file.
  ///
  /// - Throws: `FileError` when it cannot be found out: without its session a log has neither labels nor a person.
  init?(log path: String) throws(FileError) {
    folder = FileSystem.folder(of: path)
    name = FileSystem.name(of: path)
    guard [SessionFolder.log(of: .motion), SessionFolder.binaryMotion].contains(name),
      try SessionFolder.hasSession(folder)
    else { return nil }
  }

  /// Where the log of motion of a session is; `nil` where it has none.
  ///
  /// - Throws: `FileError` when it cannot be found out.
  static func log(in folder: String) throws(FileError) -> String? {
    let name = try SessionFolder.presentLog(of: .motion, in: StoredPath(folder: folder))
    return name.map { (folder.hasSuffix("/") ? folder : folder + "/") + $0 }
  }

  /// The samples, each with the label that holds at its time, and the person of the session.
  ///
  /// - Throws: `FileError` or `RecordingError` when a log cannot be read, `TooMuchMotion` beyond so many grid points.
  func motion(mostPoints: Int, _ notices: inout [MotionNotice]) throws -> MotionFile {
    let recording = try SessionFolderRecording(path: folder)
    // Rows stand in the order in which they came, in which one may be late, or far ahead of those behind it.
    let labels = try recording.labels().enumerated().sorted {
      ($0.element.time.nanoseconds, $0.offset) < ($1.element.time.nanoseconds, $1.offset)
    }.map { label in
      var text: [UInt8] = []
      SampleRow.quoted(label.element.text, &text)
      return (from: label.element.time.nanoseconds, text: text)
    }
    let path = recording.path + "/" + name
    var reader = MotionCSVReader(source: path.path, mostPoints: mostPoints)
    var row = CSVRow(delimiter: .comma)
    var person: [UInt8] = [UInt8(ascii: ",")]
    SampleRow.quoted(recording.manifest.person ?? "", &person)
    var bytes: [UInt8] = []
    let body: (Span<UInt8>, TextLine) throws -> Void = { line, place in
      guard place.isTerminated else { return }
      bytes.removeAll(keepingCapacity: true)
      if place.number == 1 {
        // The time of day is left aside, because seconds since the start never jump.
        bytes += Array("day,time_s".utf8)
        let header = String(copying: line)
        bytes += Array(header.dropFirst("time,at_s".count).utf8) + Array(",label,person\n".utf8)
        return try reader.feed(bytes.span)
      }
      try? row.split(line)
      guard row.count > 1, let at = row.nanosecondsFromSeconds(1, in: line) else { return }
      bytes.append(span: line)
      bytes.append(UInt8(ascii: ","))
      bytes += Self.label(at: at, of: labels) + person + [UInt8(ascii: "\n")]
      try reader.feed(bytes.span)
    }
    guard name == SessionFolder.binaryMotion else {
      try ByteLineReader.forEachLine(of: POSIXFile(reading: path), body)
      return Self.placed(try reader.finish(), of: folder)
    }
    let log = try MotionLogReader.forEachLine(of: path, body)
    notices += log.problems.map { MotionNotice(text: $0, source: path.path) }
    return Self.placed(try reader.finish(), of: folder)
  }

  /// What a session kept, known by the folder in which sessions lie: the data folder where it lies in one.
  private static func placed(_ file: MotionFile, of folder: String) -> MotionFile {
    var file = file
    let place = FileSystem.folder(of: FileSystem.realPath(of: folder) ?? folder)
    file.folder = FileSystem.name(of: place) == SessionFolder.sessions ? FileSystem.folder(of: place) : place
    file.isOfSession = true
    return file
  }

  /// The label that holds at a time, as it is written; empty before the first.
  private static func label(at time: Int64, of labels: [(from: Int64, text: [UInt8])]) -> [UInt8] {
    var (low, high) = (0, labels.count)
    while low < high {
      let middle = (low + high) / 2
      if labels[middle].from <= time { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? labels[low - 1].text : []
  }
}

extension String {
  /// The text of a line.
  fileprivate init(copying line: Span<UInt8>) {
    var bytes: [UInt8] = []
    bytes.append(span: line)
    self.init(decoding: bytes, as: UTF8.self)
  }
}
