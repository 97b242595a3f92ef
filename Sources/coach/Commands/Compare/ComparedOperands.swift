import Glibc
import Recordings
import SessionStore
import StrategyStudy
import TextFormats
import WorkoutHistory
import WorkoutSession
import ZoneEngine

/// What the operands of `coach compare` lead to: every recording once, folders with all that is in them.
struct ComparedOperands {
  /// The recordings and sessions, in the order of the operands, in a folder by the bytes of their names.
  private(set) var inputs: [ComparedInput] = []
  /// What in a folder is no recording, and why.
  private(set) var leftOut: [String] = []
  /// How many sessions in which no person was measured are left out, because they were not asked for.
  private(set) var simulatedLeftOut = 0
  /// The folders that were named and hold recordings in several folders: how many those are.
  private(set) var parents: [(path: String, folders: Int)] = []
  private let includesSimulated: Bool

  /// No operand; sessions in which no person was measured are taken only when they are asked for.
  init(includesSimulated: Bool) { self.includesSimulated = includesSimulated }

  /// The strategies of the arms from which sessions were drawn, each once, in the order of the inputs and the studies.
  var drawnStrategies: [FeedbackStrategy] {
    var strategies: [FeedbackStrategy] = []
    for input in inputs where input.kind == .session {
      // What cannot be read is reported when it is compared.
      guard let drawn = try? SessionFolderRecording(path: input.path).manifest.randomization else { continue }
      for arm in drawn.design.arms where !strategies.contains(arm.strategy) { strategies.append(arm.strategy) }
    }
    return strategies
  }

  /// What was seen already, by paths without links, so that nothing counts twice and no link leads in a circle.
  private var seen: Set<[CChar]> = []

  /// Adds what is at a path that was named.
  ///
  /// - Throws: `FileError` when it cannot be read, `CommandFailure` for a scenario, which is no recording.
  mutating func add(_ path: String) throws {
    let folder = Self.tidy(path)
    if try FileSystem.hasFolder(path), try !SessionFolder.hasSession(path) {
      let before = inputs.count
      try addFolder(folder, person: folder)
      let folders = Set(inputs[before...].compactMap { Self.folder(of: $0.path, in: folder) }).count
      if folders > 1 { parents.append((folder, folders)) }
      return
    }
    try add(path, person: FileSystem.folder(of: folder), isNamed: true)
  }

  /// The folder in a folder in which a recording lies, however deep; `nil` where it lies in that folder itself.
  private static func folder(of path: String, in folder: String) -> Substring? {
    let names = path.dropFirst(folder.count).split(separator: "/")
    return names.count > 1 ? names.first : nil
  }

  private mutating func addFolder(_ path: String, person: String) throws {
    guard seen.insert(Self.real(path)).inserted else { return }
    // Beside its sessions a data folder has profiles and an index, which nobody takes for recordings.
    let isData = DataFolderMark.isMarked(path)
    for name in try FileSystem.list(path) where !name.hasPrefix(".") {
      if isData, name != SessionFolder.sessions { continue }
      let inside = path == "/" ? path + name : path + "/" + name
      if FileSystem.isLink(inside), DataFolderMark.folder(around: inside) != nil {
        leftOut.append("\(inside): a link in a data folder: not followed")
        continue
      }
      do {
        if try FileSystem.hasFolder(inside), try !SessionFolder.hasSession(inside) {
          try addFolder(inside, person: person)
        } else {
          try add(inside, person: person, isNamed: false)
        }
      } catch {
        leftOut.append(CommandFailure(error).line)
      }
    }
  }

  private mutating func add(_ path: String, person: String, isNamed: Bool) throws {
    if !isNamed, let status = try FileSystem.status(path), !status.isRegular, !status.isFolder {
      throw CommandFailure("\(path): no file: expected a recording", .unusableData)
    }
    let kind: ComparedInput.Kind
    switch try RecordingKind(of: path) {
    case .session: kind = .session
    case .recording: kind = .recording
    case .scenario: throw CommandFailure("\(path): a scenario: expected a recording", .unusableData)
    }
    guard seen.insert(Self.real(path)).inserted else {
      leftOut.append("\(path): named already: counted once")
      return
    }
    // What cannot be read is reported when it is compared.
    if kind == .session, !includesSimulated,
      let manifest = try? SessionFolderRecording(path: path).manifest, manifest.origin == .simulated
    {
      simulatedLeftOut += 1
      return
    }
    inputs.append(ComparedInput(path: path, kind: kind, folder: person, isNamed: isNamed))
    // What cannot be read is reported when it is compared, here too.
    if kind == .recording, let others = try? ArchivedRecordings.leftOut(besideRecordingOf: path) {
      let count = others.count == 1 ? "another recording" : "\(others.count) other recordings"
      leftOut.append("\(path): \(count) of the archive from \(others.position) on")
    }
  }

  /// The path without slashes at its end and without `./` at its beginning.
  private static func tidy(_ path: String) -> String {
    var path = path[...]
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    while path.hasPrefix("./"), path.count > 2 { path.removeFirst(2) }
    return String(path)
  }

  private static func real(_ path: String) -> [CChar] {
    guard let resolved = unsafe realpath(path.systemPath, nil) else { return path.systemPath }
    defer { unsafe free(resolved) }
    return unsafe FileName.text(cString: resolved).systemPath
  }
}

extension ComparedOperands {
  /// Finds what was named: a path, or else a session of the history.
  static func named(
    _ parsed: ParsedArguments, _ fail: (CommandFailure) -> Void
  ) async throws -> ComparedOperands {
    var operands = ComparedOperands(includesSimulated: parsed[HistoryOptions.includeSimulated])
    for name in parsed[Operands.compared] {
      do {
        if try FileSystem.status(name) != nil || name.contains("/") || name.contains(".") {
          try operands.add(name)
        } else {
          try operands.add(try await sessionFolder(name, parsed))
        }
      } catch {
        fail(CommandFailure(error))
      }
    }
    return operands
  }

  private static func sessionFolder(_ name: String, _ parsed: ParsedArguments) async throws -> String {
    try await HistoryRequest.with(parsed) { history in
      let entry = try await HistoryRequest.session(name, in: history)
      let folder = SessionFolder.path(of: entry.sessionID, in: history.dataFolder)
      // From here on it is a path like one that was typed; that it is no link is seen before.
      _ = try FileSystem.list(folder)
      return folder.path
    }
  }
}
