import Recordings
import SessionStore
import TextFormats

/// `coach motion text`: the log of motion of a session as text.
enum MotionTextCommand {
  /// Prints the bytes that `motion.csv` has, or would have; what is damaged is said on standard error.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    let named = parsed[Operands.motionLog]
    let isFolder = try FileSystem.hasFolder(named)
    var path = named
    if isFolder {
      guard let log = try LabelledSession.log(in: named) else {
        throw CommandFailure("\(named): no log of motion in it: expected a session that has one", .unusableData)
      }
      path = log
    }
    // What lies in a folder was named by nobody: no link there is followed, and no pipe waited for.
    let file =
      isFolder
      ? try POSIXFile(reading: StoredPath(folder: FileSystem.folder(of: path)) + "/" + FileSystem.name(of: path))
      : try POSIXFile(reading: path)
    let beginning = try FileSystem.beginning(of: path, count: MotionLogReader.magicBytes) ?? []
    guard MotionLogReader.isLog(beginning.span) else {
      guard isFolder else {
        throw CommandFailure("\(path): no log of motion in binary: expected the motion.bin of a session", .unusableData)
      }
      try file.forEachPiece { piece in
        var bytes: [UInt8] = []
        bytes.append(span: piece)
        try console.write(bytes)
      }
      return 0
    }
    var log = MotionLogReader(path: path, file)
    var text: [UInt8] = []
    while try log.next(into: &text) != nil {
      try console.write(text)
      text.removeAll(keepingCapacity: true)
    }
    for problem in log.problems { console.complain("\(path): \(problem)") }
    return 0
  }
}
