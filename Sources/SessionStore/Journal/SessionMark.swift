package import TextFormats

/// The mark of a session that is not closed: `unfinished/SESSION` in the data folder.
///
/// It is on the disk before the folder of the session is, and removed when the session is closed and in the index. The
/// process that has it locks it; thousands of live sessions need no open file each, so that the mark of a live session
/// names the journal that is locked instead. A mark that nobody has is of a session whose process is gone.
package final class SessionMark {
  /// The folder of the marks in the data folder.
  package static let folderName = "unfinished"

  /// The identity of the session.
  package let sessionID: String
  private let path: StoredPath
  private let file: POSIXFile

  private init(_ sessionID: String, _ path: StoredPath, _ file: POSIXFile) {
    self.sessionID = sessionID
    self.path = path
    self.file = file
  }

  /// The identities of the sessions that have marks, sorted; none where no session was ever recorded.
  ///
  /// - Throws: `FileError` when the folder of the marks cannot be listed.
  package static func all(in dataFolder: StoredPath) throws(FileError) -> [String] {
    let folder = folder(in: dataFolder)
    var marks: [String] = []
    for name in try FileSystem.listIfPresent(folder) where SessionFolder.isName(name) {
      if try FileSystem.status(folder + "/" + name)?.isRegular == true { marks.append(name) }
    }
    return marks
  }

  /// Whether a name in the folder of the marks is that of one, or of one that is about to be made.
  package static func isName(_ name: String) -> Bool {
    let name = TemporaryName.final(of: name) ?? name
    return SessionFolder.isName(name.hasPrefix(".") ? String(name.dropFirst()) : name)
  }

  /// Marks a session that is about to be written, and holds the mark. It is on the disk after ``syncAll(in:)``.
  ///
  /// - Throws: `FileError` when the mark cannot be made, or there is one.
  package static func make(_ sessionID: String, in dataFolder: StoredPath) throws(FileError) -> SessionMark {
    let (place, _, file) = try create(sessionID, in: dataFolder, content: [], replaces: false)
    return SessionMark(sessionID, place, file)
  }

  /// Marks a live session, which whoever has its journal holds. The mark is on the disk after ``syncAll(in:)``.
  ///
  /// - Parameters:
  ///   - isWrittenLater: whether the folder lags behind the journal, unless somebody asks for it.
  ///   - isResumable: whether the session goes on after the process is gone.
  /// - Throws: `FileError` when the mark cannot be made, or there is one.
  package static func make(
    _ sessionID: String, in dataFolder: StoredPath, heldBy journal: LiveJournal, isWrittenLater: Bool,
    isResumable: Bool = false
  ) throws(FileError) {
    let content = content(heldBy: journal, isWrittenLater: isWrittenLater, isResumable: isResumable)
    let (_, _, file) = try create(sessionID, in: dataFolder, content: content, replaces: false)
    // Before it is closed, because a child that is just being started has it for a moment too.
    file.unlock()
    try file.close()
  }

  /// Gives a session that goes on to whoever has another journal. Whoever calls has taken the mark.
  ///
  /// - Throws: `FileError` when the mark cannot be made.
  package func pass(to journal: LiveJournal, in dataFolder: StoredPath) throws(FileError) {
    let (_, marks, new) = try Self.create(
      sessionID, in: dataFolder, content: Self.content(heldBy: journal, isWrittenLater: true, isResumable: true),
      replaces: true)
    new.unlock()
    try new.close()
    try marks.sync()
    file.unlock()
  }

  private static let resumableWord = "resumable"

  /// The journal, and on a line each what else is to be known.
  private static func content(heldBy journal: LiveJournal, isWrittenLater: Bool, isResumable: Bool) -> [UInt8] {
    let words = [isWrittenLater ? laterWord : nil, isResumable ? resumableWord : nil].compactMap(\.self)
    return Array(([journal.name] + words).map { $0 + "\n" }.joined().utf8)
  }

  /// Whether a session goes on when a service starts again, so that nobody else closes it: one that was written to in the
  /// last six and a half hours.
  ///
  /// - Throws: `FileError` when the mark cannot be read.
  package static func isResumable(
    _ sessionID: String, in dataFolder: StoredPath, now: WallClockTime
  ) throws(FileError) -> Bool {
    let text: [UInt8]
    do throws(FileError) {
      text = try POSIXFile(reading: folder(in: dataFolder) + "/" + sessionID).readAll(maximumBytes: 1 << 10)
    } catch  where error.isMissing {
      return false
    }
    let words = String(decoding: text, as: UTF8.self).split(separator: "\n").dropFirst()
    guard words.contains(resumableWord[...]) else { return false }
    let inputs = SessionFolder.path(of: sessionID, in: dataFolder) + "/" + SessionFolder.inputs
    let began = try FileSystem.status(folder(in: dataFolder) + "/" + sessionID)?.modifiedSeconds ?? 0
    let newest = max(began, try FileSystem.status(inputs)?.modifiedSeconds ?? 0)
    return now.nanoseconds / 1_000_000_000 - newest < longestRest
  }

  /// How long a session that goes on may rest, in seconds.
  private static let longestRest: Int64 = 23_400

  /// Whether there is any mark, be it one that a process was making when it died.
  ///
  /// - Throws: `FileError` when the folder of the marks cannot be listed.
  package static func hasAny(in dataFolder: StoredPath) throws(FileError) -> Bool {
    try FileSystem.listIfPresent(folder(in: dataFolder)).contains(where: isName)
  }

  /// How many seconds a process takes at most to make a mark or a journal.
  private static let longestMaking: Int64 = 600

  /// Whether nobody is making any more what has no name yet.
  static func isGivenUp(_ status: FileStatus) -> Bool {
    SystemWallClock.now().nanoseconds / 1_000_000_000 - status.modifiedSeconds > longestMaking
  }

  /// Removes the marks that processes were making when they died: those have no session yet.
  ///
  /// - Throws: `FileError` when the folder of the marks cannot be listed, or one cannot be removed.
  static func removeLeftOver(in dataFolder: StoredPath) throws(FileError) {
    let folder = folder(in: dataFolder)
    for name in try FileSystem.listIfPresent(folder) where TemporaryName.final(of: name) != nil && isName(name) {
      let place = folder + "/" + name
      guard let status = try FileSystem.status(place), status.isRegular, isGivenUp(status) else { continue }
      try FileSystem.removeIfPresent(place)
    }
  }

  /// Waits until the marks that were made are on the disk.
  ///
  /// - Throws: `FileError` when that fails.
  package static func syncAll(in dataFolder: StoredPath) throws(FileError) {
    try FileSystem.syncFolder(folder(in: dataFolder))
  }

  /// Removes the mark of a live session, which is closed.
  ///
  /// - Throws: `FileError` when it cannot be removed; the next start does so.
  package static func remove(_ sessionID: String, in dataFolder: StoredPath) throws(FileError) {
    try FileSystem.removeIfPresent(folder(in: dataFolder) + "/" + sessionID)
  }

  private static func create(
    _ sessionID: String, in dataFolder: StoredPath, content: [UInt8], replaces: Bool
  ) throws(FileError) -> (place: StoredPath, folder: OutputFolder, file: POSIXFile) {
    let folder = folder(in: dataFolder)
    if try !FileSystem.hasFolder(folder) {
      try FileSystem.createFolder(folder)
      try FileSystem.syncFolder(dataFolder)
    }
    // It has its name only when it is locked, so that nobody takes it for that of a process that is gone.
    let marks = try OutputFolder(folder)
    let temporary = TemporaryName.make(for: "." + sessionID)
    let file = try marks.createFile(temporary)
    do throws(FileError) {
      _ = try file.lock()
      try file.write(content.span)
      // A mark that is there may be held by a process that closes its session, and is never taken from it.
      if replaces {
        try marks.rename(temporary, to: sessionID)
      } else {
        try marks.rename(temporary, toFree: sessionID)
      }
    } catch {
      try? marks.remove(temporary)
      throw error
    }
    return (folder + "/" + sessionID, marks, file)
  }

  /// The second line of the mark of a session whose folder lags behind its journal.
  private static let laterWord = "later"

  /// Asks the process that records a session to write what it has to the folder, where that lags behind. It does so within a
  /// second; nothing happens where it does not lag, or nobody may ask.
  package static func askForFolder(of sessionID: String, in dataFolder: StoredPath) {
    guard let file = try? POSIXFile(reading: folder(in: dataFolder) + "/" + sessionID),
      let content = try? file.readAll(maximumBytes: 1 << 10)
    else { return }
    let lines = String(decoding: content, as: UTF8.self).split(separator: "\n").map(String.init)
    guard lines.dropFirst().contains(laterWord), LiveJournal.isName(lines[0]) else { return }
    LiveJournal.request(sessionID, of: lines[0], in: dataFolder)
  }

  /// Whether there is a mark of a session, whoever holds it.
  ///
  /// - Throws: `FileError` with `inspect` when it cannot be found out.
  package static func exists(_ sessionID: String, in dataFolder: StoredPath) throws(FileError) -> Bool {
    try FileSystem.status(folder(in: dataFolder) + "/" + sessionID)?.isRegular == true
  }

  /// Takes the mark of a session whose process is gone, and brings to its folder what journals hold of it; `nil` when a
  /// process holds it, or it has just been removed.
  ///
  /// - Parameter milliseconds: how long somebody is waited for who only looks whether it is held.
  /// - Throws: `FileError` when it cannot be opened, or something cannot be brought to the folder; `RecordingError` for a
  ///   journal of a newer version.
  package static func take(
    _ sessionID: String, in dataFolder: StoredPath, waitingMilliseconds milliseconds: Int32 = 0
  ) throws -> SessionMark? {
    guard let mark = try hold(sessionID, in: dataFolder, waitingMilliseconds: milliseconds) else { return nil }
    try LiveJournal.recover(sessionID, in: dataFolder)
    return mark
  }

  /// Whether there is a mark of a session whose process is gone. What journals hold of it is left where it is.
  ///
  /// - Throws: `FileError` when it cannot be opened.
  package static func isLeft(_ sessionID: String, in dataFolder: StoredPath) throws(FileError) -> Bool {
    // It is given back at once.
    try hold(sessionID, in: dataFolder, waitingMilliseconds: 0) != nil
  }

  /// Whether a process has the mark of a session; `false` where there is none.
  ///
  /// - Throws: `FileError` when it cannot be opened.
  package static func isHeld(_ sessionID: String, in dataFolder: StoredPath) throws(FileError) -> Bool {
    guard try !isLeft(sessionID, in: dataFolder) else { return false }
    return try exists(sessionID, in: dataFolder)
  }

  private static func hold(
    _ sessionID: String, in dataFolder: StoredPath, waitingMilliseconds milliseconds: Int32
  ) throws(FileError) -> SessionMark? {
    let path = folder(in: dataFolder) + "/" + sessionID
    let file: POSIXFile
    do throws(FileError) {
      file = try POSIXFile(reading: path)
    } catch  where error.isMissing {
      return nil
    }
    guard try file.lock(waitingMilliseconds: milliseconds) else { return nil }
    let name = String(decoding: try file.readAll(maximumBytes: 1 << 10), as: UTF8.self)
    let journal = name.split(separator: "\n").first.map(String.init)
    if try file.isAt(path) {
      guard let journal, LiveJournal.isName(journal), try LiveJournal.isHeld(journal, in: dataFolder) else {
        return SessionMark(sessionID, path, file)
      }
    }
    file.unlock()
    return nil
  }

  /// Removes the mark: the session is closed.
  ///
  /// - Throws: `FileError` when it cannot be removed.
  package func remove() throws(FileError) { try FileSystem.remove(path) }

  private static func folder(in dataFolder: StoredPath) -> StoredPath { dataFolder + "/" + folderName }
}
