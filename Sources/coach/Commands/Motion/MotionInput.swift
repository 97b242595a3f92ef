import ActivityRecognition
import Recordings
import SessionStore
import TextFormats

/// Reads motion recordings, and folders of them, packed by gzip or not.
struct MotionInput {
  private static let deepestFolder = 16

  private var files: [MotionFile] = []
  private var points = 0
  private var notices: [MotionNotice] = []

  /// Reads the recordings at some paths and says on standard error what is odd about them.
  ///
  /// - Throws: `FileError`, `RecordingError` or `CommandFailure` when one that was named cannot be used, or there is none.
  static func corpus(
    _ paths: [String], personFrom: MotionPersonSource, apart: Set<String> = [], _ console: Console
  ) throws -> MotionCorpus {
    var input = MotionInput()
    for path in paths { try input.read(path) }
    let corpus = MotionCorpus(input.files, personFrom: personFrom, apart: apart)
    for line in MotionNotice.lines(input.notices + corpus.notices) { console.complain(line) }
    return corpus
  }

  /// Reads one recording, or that of a session, and says on standard error what is odd about it.
  ///
  /// - Throws: as ``corpus(_:personFrom:apart:_:)``, and `CommandFailure` for a folder of recordings, which are of several people.
  static func recording(_ path: String, _ console: Console) throws -> MotionCorpus {
    guard try !FileSystem.hasFolder(path) || SessionFolder.hasSession(path) else {
      throw CommandFailure("\(path): a folder: expected one recording, or the folder of a session", .unusableData)
    }
    return try corpus([path], personFrom: .file, console)
  }

  /// The files at some paths, those of folders in the order of their names.
  static func sources(_ paths: [String]) throws -> Set<String> {
    var sources: Set<String> = []
    for path in paths { try sources.formUnion(FileSystem.hasFolder(path) ? names(in: path, 0) : [path]) }
    return sources
  }

  private mutating func read(_ path: String) throws {
    guard try FileSystem.hasFolder(path) else { return add(try file(path)) }
    let before = files.count
    var problems: [RecordingError] = []
    for name in try Self.names(in: path, 0) {
      guard try FileSystem.status(name)?.isRegular == true else {
        // A pipe would be waited for.
        notices.append(MotionNotice(text: "left out: no regular file", source: name))
        continue
      }
      do {
        add(try file(name))
      } catch let error as RecordingError {
        // Folders hold other files beside recordings.
        notices.append(MotionNotice(text: "left out: \(error.problem)", source: name))
        problems.append(error)
      }
    }
    guard files.count > before else {
      if let first = problems.first {
        // A folder of recordings that are all too slow has recordings.
        let count = problems.count
        let others = count > 1 ? " (and none of the \(count) recordings in \(path) can be used)" : ""
        throw RecordingError(path: first.path, position: first.position, problem: first.problem + others)
      }
      throw RecordingError(path: path, problem: "no recording of the motion sensors in it: expected .csv or .csv.gz")
    }
  }

  private mutating func add(_ file: MotionFile) {
    points += file.recordings.reduce(0) { $0 + $1.samples.count }
    files.append(file)
  }

  private static func names(in folder: String, _ depth: Int) throws -> [String] {
    if try SessionFolder.hasSession(folder) {
      return try LabelledSession.log(in: folder).map { [$0] } ?? []
    }
    var names: [String] = []
    for name in try FileSystem.list(folder) where !name.hasPrefix(".") {
      let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
      if try FileSystem.hasOpenFolder(path) {
        if depth < deepestFolder, !FileSystem.isLink(path) { names += try self.names(in: path, depth + 1) }
      } else if name.lowercased().hasSuffix(".csv") || name.lowercased().hasSuffix(".csv.gz") {
        names.append(path)
      }
    }
    return names
  }

  /// What a file holds, which together with those before may be no more than ``MotionLimits/mostPoints``.
  private mutating func file(_ path: String) throws -> MotionFile {
    let mostPoints = MotionLimits.mostPoints - points
    if let session = try LabelledSession(log: path) { return try session.motion(mostPoints: mostPoints, &notices) }
    if let beginning = try FileSystem.beginning(of: path, count: MotionLogReader.magicBytes),
      MotionLogReader.isLog(beginning.span)
    {
      return try binary(path)
    }
    let input = try POSIXFile(reading: path)
    let unpacking = MotionUnpacking(MotionCSVReader(source: path, mostPoints: mostPoints))
    var gzip: GzipStream<MotionUnpacking>?
    var isFirst = true
    do {
      try input.forEachPiece { piece in
        if isFirst, piece.count > 1, piece[0] == 0x1F, piece[1] == 0x8B {
          gzip = GzipStream(unpacking, limits: .standard)
        }
        isFirst = false
        if let gzip { try gzip.feed(piece) { _ in } } else { try unpacking.target.reader.feed(piece) }
      }
      try gzip?.finish { _ in }
    } catch let damage as DecodingProblem {
      if let error = unpacking.target.error { throw error }
      // What stands before the damage is read all the same.
      notices.append(MotionNotice(text: "\(damage.position): \(damage.problem)", source: path))
    }
    return try unpacking.target.reader.finish()
  }

  /// A log of motion in binary that is in no folder of a session.
  private mutating func binary(_ path: String) throws -> MotionFile {
    var log = MotionLogReader(path: path, try POSIXFile(reading: path))
    var reader = MotionCSVReader(source: path, mostPoints: MotionLimits.mostPoints - points)
    try log.forEachPiece { try reader.feed($0) }
    notices += log.problems.map { MotionNotice(text: $0, source: path) }
    return try reader.finish()
  }
}

/// Gives what is unpacked to a reader of motion.
private struct MotionUnpacking: RecordingDecoder {
  /// The reader, and why it stopped.
  final class Target {
    var reader: MotionCSVReader
    var error: (any Error)?
    init(_ reader: MotionCSVReader) { self.reader = reader }
  }

  let target: Target

  init(_ reader: MotionCSVReader) { target = Target(reader) }

  mutating func feed(_ bytes: Span<UInt8>, _ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    do {
      try target.reader.feed(bytes)
    } catch {
      target.error = error
      throw DecodingProblem(position: "", problem: "\(error)")
    }
  }

  mutating func finish(_ sink: (DecodedItem) -> Void) throws(DecodingProblem) {}
}
