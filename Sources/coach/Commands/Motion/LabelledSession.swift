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
    let labels = try recording.labels()
    let path = recording.path + "/" + name
    var reader = MotionCSVReader(source: path.path, mostPoints: mostPoints)
    var row = CSVRow(delimiter: .comma)
    var person: [UInt8] = [UInt8(ascii: ",")]
    SampleRow.quoted(recording.manifest.person ?? "", &person)
    var next = 0
    var (label, bytes): ([UInt8], [UInt8]) = ([], [])
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
      while next < labels.count, labels[next].time.nanoseconds <= at {
        label = []
        SampleRow.quoted(labels[next].text, &label)
        next += 1
      }
      bytes.append(span: line)
      bytes.append(UInt8(ascii: ","))
      bytes += label + person + [UInt8(ascii: "\n")]
      try reader.feed(bytes.span)
    }
    guard name == SessionFolder.binaryMotion else {
      try ByteLineReader.forEachLine(of: POSIXFile(reading: path), body)
      return try reader.finish()
    }
    let log = try MotionLogReader.forEachLine(of: path, body)
    notices += log.problems.map { MotionNotice(text: $0, source: path.path) }
    return try reader.finish()
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
