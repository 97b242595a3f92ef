package import TextFormats

/// The journal of the live sessions of one process: `journal/NAME` in the data folder.
///
/// While sessions run, it holds what their folders need not have yet. It is a folder with a lock, which the process holds, and
/// segments: files of ``JournalFrame``s behind a head. A shard writes its segments one after another. A segment goes when the
/// folders of its sessions have all of it, on the disk; the journal goes when its sessions are closed. One whose lock nobody
/// holds is left by a process that is gone, and ``recoverAll(in:)`` brings what it holds to the folders.
package final class LiveJournal: @unchecked Sendable {
  /// The folder of all journals in a data folder.
  package static let folderName = "journal"
  /// The version of a segment. A program that does not know it refuses the journal, and leaves it as it is.
  package enum Version: UInt32, CaseIterable, Comparable, Sendable {
    /// The first.
    case first = 1
    /// The same with motion in binary, which a program of before it would not bring to the folder.
    case binaryMotion = 2

    /// Whether one is older than another.
    package static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
  }

  private static let lockName = "lock"
  private static let magic = Array("coachjnl".utf8)
  /// How many bytes of a segment come before its frames.
  package static let headBytes = 16

  /// The name.
  package let name: String
  /// The folder.
  package let folder: StoredPath
  private let lock: POSIXFile

  private init(_ name: String, _ folder: StoredPath, _ lock: POSIXFile) {
    self.name = name
    self.folder = folder
    self.lock = lock
  }

  private static func folder(in dataFolder: StoredPath) -> StoredPath { dataFolder + "/" + folderName }

  /// Makes a journal, which this process holds.
  ///
  /// - Throws: `FileError` when it cannot be made.
  package static func make(in dataFolder: StoredPath, now: WallClockTime) throws(FileError) -> LiveJournal {
    let parent = folder(in: dataFolder)
    if try !FileSystem.hasFolder(parent) {
      try FileSystem.createFolder(parent)
      try FileSystem.syncFolder(dataFolder)
    }
    let digits = String(UInt32.random(in: .min ... .max), radix: 16)
    let name = now.compactDescription + "-" + String(repeating: "0", count: 8 - digits.count) + digits
    // It has its name only when it is locked, so that nobody takes it for that of a process that is gone.
    let temporary = parent + "/" + TemporaryName.make(for: name)
    try FileSystem.createFolder(temporary)
    let lock = try POSIXFile(writing: temporary + "/" + lockName, .exclusive)
    _ = try lock.lock()
    let folder = parent + "/" + name
    try FileSystem.rename(temporary, to: folder)
    try FileSystem.syncFolder(parent)
    return LiveJournal(name, folder, lock)
  }

  /// Whether a name in the folder of journals is that of one, or of one that is about to be made.
  package static func isName(_ name: String) -> Bool {
    let name = TemporaryName.final(of: name) ?? name
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 2 && SessionFolder.isStart(parts[0]) && SessionFolder.isDigits(parts[1])
  }

  /// Whether a name in the folder of a journal is one that coach gives.
  static func isOwn(_ name: String) -> Bool {
    name == lockName || segment(name) != nil || requestedSession(name) != nil
  }

  /// Begins a segment.
  ///
  /// - Throws: `FileError` when it cannot be made; nothing is left of it then.
  package func makeSegment(shard: Int, number: Int, _ version: Version) throws(FileError) -> POSIXFile {
    let path = folder + "/" + Self.segmentName(shard: shard, number: number)
    let file = try POSIXFile(writing: path, .exclusive)
    var head = Self.magic
    head.appendLittleEndian(version.rawValue)
    head.appendLittleEndian(UInt32(0))
    do throws(FileError) {
      try file.write(head.span)
      try FileSystem.syncFolder(folder)
    } catch {
      // The next one has another name: on a disk that is full one would be left for each try.
      try? FileSystem.removeIfPresent(path)
      throw error
    }
    return file
  }

  /// Opens a segment for reading; it may still be written.
  ///
  /// - Throws: `FileError` when it cannot be read.
  package func openSegment(shard: Int, number: Int) throws(FileError) -> POSIXFile {
    try POSIXFile(reading: folder + "/" + Self.segmentName(shard: shard, number: number))
  }

  /// Removes a segment whose content the folders have.
  ///
  /// - Throws: `FileError` when it cannot be removed.
  package func removeSegment(shard: Int, number: Int) throws(FileError) {
    try FileSystem.removeIfPresent(folder + "/" + Self.segmentName(shard: shard, number: number))
  }

  /// Lets go of the journal, whose sessions others close or go on with.
  package func release() { lock.unlock() }

  /// The sessions of which somebody wants to see the folder now. Each request is taken once.
  ///
  /// - Parameter isKnown: whether a session is one of whoever asks; other requests stay.
  /// - Throws: `FileError` when the folder of the journal cannot be listed.
  package func takeRequests(_ isKnown: (String) -> Bool) throws(FileError) -> [String] {
    var sessions: [String] = []
    for name in try FileSystem.list(folder) {
      guard let sessionID = Self.requestedSession(name), isKnown(sessionID) else { continue }
      try FileSystem.removeIfPresent(folder + "/" + name)
      sessions.append(sessionID)
    }
    return sessions
  }

  /// Asks the process that has a journal to write a session to its folder: a file of a name of its own, so that one that was asked for
  /// already is not asked again. Nothing happens where the file cannot be made; whoever follows the session asks again.
  static func request(_ sessionID: String, of journal: String, in dataFolder: StoredPath) {
    let path = folder(in: dataFolder) + "/" + journal + "/" + requestPrefix + sessionID
    _ = try? POSIXFile(writing: path, .exclusive).close()
  }

  private static let requestPrefix = "wanted-"

  /// The session that a request in the folder of a journal is about.
  private static func requestedSession(_ name: String) -> String? {
    guard name.hasPrefix(requestPrefix) else { return nil }
    let sessionID = String(name.dropFirst(requestPrefix.count))
    return SessionFolder.isName(sessionID) ? sessionID : nil
  }

  /// Removes the journal: its sessions are closed.
  ///
  /// - Throws: `FileError` when something of it cannot be removed; the next start does so.
  package func remove() throws(FileError) { try Self.remove(folder) }

  private static func remove(_ folder: StoredPath) throws(FileError) {
    let names = try FileSystem.list(folder).filter(isOwn)
    // The lock goes last, so that what is left of a journal is known by it.
    for name in names where name != lockName { try FileSystem.removeIfPresent(folder + "/" + name) }
    if names.contains(lockName) { try FileSystem.removeIfPresent(folder + "/" + lockName) }
    try FileSystem.removeIfEmpty(folder)
  }

  private static func segmentName(shard: Int, number: Int) -> String {
    let digits = String(number)
    return "\(shard)-" + String(repeating: "0", count: max(0, 8 - digits.count)) + digits + ".log"
  }

  /// The shard and the number of a segment by its name.
  private static func segment(_ name: String) -> (shard: Int, number: Int)? {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].hasSuffix(".log"), let shard = Int(parts[0]),
      let number = Int(parts[1].dropLast(4)), shard >= 0, number >= 0,
      segmentName(shard: shard, number: number) == name
    else { return nil }
    return (shard, number)
  }
}

// MARK: - Journals that are left

extension LiveJournal {
  /// Whether a process holds a journal. One that is not there is held by nobody.
  ///
  /// - Throws: `FileError` when that is not known.
  static func isHeld(_ name: String, in dataFolder: StoredPath) throws(FileError) -> Bool {
    do throws(FileError) {
      let lock = try POSIXFile(reading: folder(in: dataFolder) + "/" + name + "/" + lockName)
      defer { lock.unlock() }
      return try !lock.lockShared()
    } catch  where error.isMissing {
      return false
    }
  }

  /// Brings what journals hold whose processes are gone to the folders of the sessions, and removes those journals.
  ///
  /// A session whose folder cannot be written keeps neither the others nor their start: its journal stays, without the segments that have
  /// nothing of it, and whoever takes its mark gets the error.
  /// Marks that they were only making go too. Everything can be repeated: a process that dies in it leaves what the next start
  /// goes on with.
  /// - Throws: `FileError` when something cannot be read, or the disk fails or is full; `RecordingError` for a journal of a newer version.
  /// - Returns: the sessions whose folders cannot be written, and why.
  @discardableResult
  package static func recoverAll(in dataFolder: StoredPath) throws -> [String: FileError] {
    var allLeft: [String: FileError] = [:]
    try SessionMark.removeLeftOver(in: dataFolder)
    try EndedInputs.removeOld(in: dataFolder, now: SystemWallClock.now())
    let parent = folder(in: dataFolder)
    for name in try FileSystem.listIfPresent(parent) where isName(name) {
      let folder = parent + "/" + name
      guard let status = try FileSystem.status(folder), status.isFolder else { continue }
      let isNamed = TemporaryName.final(of: name) == nil
      // One without its name is just being made, unless that was long ago.
      guard isNamed || SessionMark.isGivenUp(status) else { continue }
      do {
        guard let lock = try lockIfFree(folder) else { continue }
        defer { lock.unlock() }
        let left = isNamed ? try restore(folder, in: dataFolder, only: nil) : [:]
        if left.isEmpty { try remove(folder) } else { try removeSegments(of: folder, without: left) }
        allLeft.merge(left) { $1 }
      } catch let error as FileError where error.isMissing {
        // Somebody else has done so.
      }
    }
    return allLeft
  }

  /// Makes sure that this program can read the journals that are left, by their heads.
  ///
  /// - Throws: `RecordingError` for one of a newer version, `FileError` when one cannot be read.
  package static func requireKnownVersions(in dataFolder: StoredPath) throws {
    let parent = folder(in: dataFolder)
    for name in try FileSystem.listIfPresent(parent) where isName(name) && TemporaryName.final(of: name) == nil {
      do {
        for segment in try segmentNames(of: parent + "/" + name) {
          let path = parent + "/" + name + "/" + segment
          var head = [UInt8](repeating: 0, count: headBytes)
          let count = try POSIXFile(reading: path).read(into: &head)
          try requireKnownVersion(of: head.span.extracting(first: count), path)
        }
      } catch let error as FileError where error.isMissing {
        // Somebody else has brought it to the folders.
      }
    }
  }

  /// - Returns: whether there is anything after the head.
  @discardableResult
  private static func requireKnownVersion(of bytes: Span<UInt8>, _ path: StoredPath) throws(RecordingError) -> Bool {
    // A head that was cut off has no frames after it.
    guard bytes.count >= headBytes else { return false }
    guard magic.indices.allSatisfy({ bytes[$0] == magic[$0] }) else {
      throw RecordingError(path: path.path, problem: "is no journal of coach")
    }
    let version = bytes.littleEndian(UInt32.self, at: magic.count)
    guard Version(rawValue: version) != nil else {
      let known = Version.allCases.map { "\($0.rawValue)" }.joined(separator: " and ")
      throw RecordingError(path: path.path, problem: "is of version \(version): this program reads versions \(known)")
    }
    return true
  }

  /// Whether there is any journal, of whatever process.
  package static func hasAny(in dataFolder: StoredPath) -> Bool {
    (try? FileSystem.listIfPresent(folder(in: dataFolder)).contains(where: isName)) ?? false
  }

  /// Brings what journals hold of one session, whose processes are gone, to its folder. Whoever asks holds the mark of the
  /// session.
  ///
  /// - Throws: as ``recoverAll(in:)``.
  static func recover(_ sessionID: String, in dataFolder: StoredPath) throws {
    let parent = folder(in: dataFolder)
    for name in try FileSystem.listIfPresent(parent) where isName(name) && TemporaryName.final(of: name) == nil {
      do {
        // Nobody removes it meanwhile.
        let lock = try POSIXFile(reading: parent + "/" + name + "/" + lockName)
        guard try lock.lockShared() else { continue }
        defer { lock.unlock() }
        _ = try restore(parent + "/" + name, in: dataFolder, only: sessionID)
      } catch let error as FileError where error.isMissing {}
    }
  }

  private static func lockIfFree(_ folder: StoredPath) throws(FileError) -> POSIXFile? {
    // A process that died while it made or removed the journal may have left none.
    let lock = try POSIXFile(writing: folder + "/" + lockName, .inPlace)
    guard try lock.lock() else { return nil }
    if try lock.isAt(folder + "/" + lockName) { return lock }
    lock.unlock()
    return nil
  }

  /// The names of the segments of a journal, in their order.
  private static func segmentNames(of folder: StoredPath) throws(FileError) -> [String] {
    try FileSystem.list(folder).compactMap { name in segment(name).map { (name: name, place: $0) } }
      .sorted { ($0.place.shard, $0.place.number) < ($1.place.shard, $1.place.number) }.map(\.name)
  }

  /// Removes the segments that have nothing of some sessions.
  private static func removeSegments(of folder: StoredPath, without sessions: [String: FileError]) throws {
    for name in try segmentNames(of: folder) {
      var isNeeded = false
      try forEachFrame(of: folder + "/" + name) { kind, sessionID, _ in
        if kind == .rows, sessions[sessionID] != nil { isNeeded = true }
      }
      if !isNeeded { try FileSystem.removeIfPresent(folder + "/" + name) }
    }
  }

  /// Up to how many folders are each brought to the disk by itself, which waits for nothing else that is written there.
  private static let mostSynced = 8

  /// Brings what a journal holds to the folders of all sessions, or only of one.
  ///
  /// - Returns: the sessions whose folders cannot be written, and why; of only one that is thrown.
  private static func restore(
    _ folder: StoredPath, in dataFolder: StoredPath, only: String?
  ) throws -> [String: FileError] {
    let segments = try segmentNames(of: folder)
    var closed: Set<String> = []
    for name in segments {
      try forEachFrame(of: folder + "/" + name) { kind, sessionID, _ in
        if kind == .closed { closed.insert(sessionID) }
      }
    }
    var restored: [String: SessionRestoration] = [:]
    var left: [String: FileError] = [:]
    // In an order that is the same each time.
    func forEachRestored(_ body: (SessionRestoration) throws(FileError) -> Void) throws(FileError) {
      for (sessionID, restoration) in restored.sorted(by: { $0.key < $1.key }) {
        do throws(FileError) {
          try body(restoration)
        } catch  where only == nil && error.isOfPath {
          left[sessionID] = error
          restored[sessionID] = nil
        }
      }
    }
    for name in segments {
      try forEachFrame(of: folder + "/" + name) { kind, sessionID, content in
        guard kind == .rows, !closed.contains(sessionID), left[sessionID] == nil,
          only.map({ $0 == sessionID }) ?? true
        else { return }
        if restored[sessionID] == nil {
          do throws(FileError) {
            restored[sessionID] = try SessionRestoration(sessionID, in: dataFolder)
          } catch {
            guard only == nil, error.isOfPath else { throw error }
            left[sessionID] = error
            return
          }
        }
        restored[sessionID]?.writer?.append(content)
      }
      try forEachRestored { restoration throws(FileError) in try restoration.flush() }
    }
    if only == nil, restored.count > mostSynced {
      // One call for all that is on the disk of the journal, which says too when anything of it could not be written.
      try POSIXFile(reading: folder + "/" + lockName).syncFileSystem()
    } else {
      try forEachRestored { restoration throws(FileError) in try restoration.sync() }
    }
    return left
  }

  private static func forEachFrame(
    of path: StoredPath, _ body: (JournalFrame.Kind, String, Span<UInt8>) throws -> Void
  ) throws {
    let bytes = try POSIXFile(reading: path).readAll(maximumBytes: 1 << 30)
    guard try requireKnownVersion(of: bytes.span, path) else { return }
    _ = try JournalFrame.forEach(of: bytes.span, from: headBytes) { (kind, sessionID, content) throws in
      try body(kind, sessionID, bytes.span.extracting(content))
    }
  }
}

/// How the folder of one session gets what a journal holds of it.
private struct SessionRestoration {
  /// Absent for a session whose folder is whole.
  let writer: SessionFolderWriter?

  /// - Throws: `FileError` when it cannot be found out whether its folder is whole.
  init(_ sessionID: String, in dataFolder: StoredPath) throws(FileError) {
    let folder = SessionFolder.path(of: sessionID, in: dataFolder)
    // Without its mark it was closed, and may have been deleted since.
    guard try SessionMark.exists(sessionID, in: dataFolder), try !FileSystem.has(folder + "/" + SessionFolder.summary)
    else {
      writer = nil
      return
    }
    writer = SessionFolderWriter(folder)
  }

  func flush() throws(FileError) {
    guard let writer, writer.waitingBytes > 0 else { return }
    try FileSystem.createFolder(writer.folder)
    try writer.flush()
  }

  func sync() throws(FileError) { try writer?.sync() }
}
