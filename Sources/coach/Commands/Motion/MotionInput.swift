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
  /// What each file is called here that was read.
  private var known: [FileIdentity: String] = [:]
  /// The places of files that may be copies of one recording.
  private var alike: [MotionFile.Outline: [Int]] = [:]

  /// Reads the recordings at some paths, each once, and says on standard error what is odd about them.
  ///
  /// - Throws: `FileError`, `RecordingError` or `CommandFailure` when one that was named cannot be used, or there is none.
  static func corpus(
    _ paths: [String], personFrom: MotionPersonSource, _ console: Console
  ) throws -> MotionCorpus {
    try corpus(paths, tested: nil, personFrom: personFrom, console).0
  }

  /// The same with those at a path that are tested by what is learned from the others.
  ///
  /// - Returns: the recordings, and which files of them are tested: all that are at that path, or are copies of what is there.
  /// - Throws: as ``corpus(_:personFrom:_:)``.
  static func corpus(
    _ paths: [String], tested path: String?, personFrom: MotionPersonSource, _ console: Console
  ) throws -> (MotionCorpus, tested: Set<String>) {
    var input = MotionInput()
    for path in paths {
      let operand = try input.read(path)
      if operand.isKnown {
        input.notices.append(
          MotionNotice(text: "adds nothing: what is there was read before, and counts once", source: path))
      }
    }
    let tested = try path.map { try input.read($0).sources } ?? []
    let corpus = MotionCorpus(input.files, personFrom: personFrom, tested: tested)
    for line in MotionNotice.lines(input.notices + corpus.notices) { console.complain(line) }
    return (corpus, tested)
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

  /// What was found at a path.
  private struct Operand {
    /// What the files that are there were called when they were read.
    var sources: Set<String> = []
    /// How many of them there are, and how many were read before.
    var (count, knownCount) = (0, 0)

    /// Whether all of it was read before.
    var isKnown: Bool { knownCount > 0 && knownCount == count }
  }

  /// Reads what is at a path, but for files that were read before.
  private mutating func read(_ path: String) throws -> Operand {
    var operand = Operand()
    guard try FileSystem.hasFolder(path) else {
      try read(path, &operand)
      return operand
    }
    var problems: [RecordingError] = []
    for name in try Self.names(in: path, 0) {
      guard try FileSystem.status(name)?.isRegular == true else {
        // A pipe would be waited for.
        notices.append(MotionNotice(text: "left out: no regular file", source: name))
        continue
      }
      do {
        try read(name, &operand)
      } catch let error as RecordingError {
        // Folders hold other files beside recordings.
        notices.append(MotionNotice(text: "left out: \(error.problem)", source: name))
        problems.append(error)
      }
    }
    guard operand.count > 0 else {
      if let first = problems.first {
        // A folder of recordings that are all too slow has recordings.
        let count = problems.count
        let others = count > 1 ? " (and none of the \(count) recordings in \(path) can be used)" : ""
        throw RecordingError(path: first.path, position: first.position, problem: first.problem + others)
      }
      throw RecordingError(path: path, problem: "no recording of the motion sensors in it: expected .csv or .csv.gz")
    }
    return operand
  }

  /// Reads a file, unless it was read before, by whatever path.
  private mutating func read(_ path: String, _ operand: inout Operand) throws {
    let identity = FileIdentity(path)
    if let source = identity.flatMap({ known[$0] }) {
      operand.sources.insert(source)
      operand.count += 1
      operand.knownCount += 1
      return
    }
    let source = add(try file(path))
    if let identity { known[identity] = source }
    operand.sources.insert(source)
    operand.count += 1
  }

  /// Takes a file, unless it is a copy of another one: who is tested by a copy of what was learned would be recognised too well.
  ///
  /// - Returns: what the file, or that other one, is called.
  private mutating func add(_ file: MotionFile) -> String {
    let outline = file.outline
    if let place = alike[outline]?.first(where: { files[$0].hasSamples(of: file) }) {
      notices.append(
        MotionNotice(text: "left out: the same recording as \(files[place].source)", source: file.source))
      return files[place].source
    }
    points += file.recordings.reduce(0) { $0 + $1.samples.count }
    alike[outline, default: []].append(files.count)
    files.append(file)
    return file.source
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

  /// The folder of what is at a path, by one spelling: its own name is kept, links on the way to it are followed.
  static func folder(of path: String) -> String {
    let folder = FileSystem.folder(of: path)
    let name = FileSystem.name(of: folder)
    guard !["", ".", ".."].contains(name), let parent = FileSystem.realPath(of: FileSystem.folder(of: folder)) else {
      return FileSystem.realPath(of: folder) ?? folder
    }
    return parent == "/" ? parent + name : parent + "/" + name
  }

  /// What a file holds, which together with those before may be no more than ``MotionLimits/mostPoints``.
  private mutating func file(_ path: String) throws -> MotionFile {
    let mostPoints = MotionLimits.mostPoints - points
    if let session = try LabelledSession(log: path) { return try session.motion(mostPoints: mostPoints, &notices) }
    var file = try ownFile(path, mostPoints)
    file.folder = Self.folder(of: path)
    return file
  }

  /// The same of a file that is of no session.
  private mutating func ownFile(_ path: String, _ mostPoints: Int) throws -> MotionFile {
    if let beginning = try FileSystem.beginning(of: path, count: MotionLogReader.magicBytes),
      MotionLogReader.isLog(beginning.span)
    {
      return try binary(path, mostPoints)
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
  private mutating func binary(_ path: String, _ mostPoints: Int) throws -> MotionFile {
    var log = MotionLogReader(path: path, try POSIXFile(reading: path))
    var reader = MotionCSVReader(source: path, mostPoints: mostPoints)
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
