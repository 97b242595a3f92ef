package import TextFormats

/// What coach could have named, and so may delete.
extension SessionFolder {
  /// The files of a session, under the names that they have when they are whole.
  private static let files = [summary, notes] + SessionFile.allCases.map(\.name)

  /// Whether a text can be the name of a session: `20261120T070000Z-running-4f3a0b1c`.
  package static func isName(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 3, let start = parts.first, let random = parts.last else { return false }
    let activity = parts[1..<(parts.count - 1)].joined(separator: "-")
    return isStart(start) && isDigits(random) && isFileNamePart(activity)
  }

  /// Whether a folder can have a text as its name, whoever gave it: one piece of a path that leads into the folder it is in.
  package static func isFolderName(_ text: String) -> Bool {
    !["", ".", ".."].contains(text) && !text.utf8.contains(UInt8(ascii: "/")) && !text.utf8.contains(0)
  }

  /// Whether a text is eight hexadecimal digits, as they are drawn for a name.
  static func isDigits(_ text: Substring) -> Bool {
    text.utf8.count == 8 && text.utf8.allSatisfy { ($0 as UInt8).isHexadecimalDigit }
  }

  /// Whether a text is written like the start of a session, `20261120T070000Z`.
  static func isStart(_ text: Substring) -> Bool {
    let pattern = "00000000T000000Z".utf8
    return text.utf8.count == pattern.count
      && zip(text.utf8, pattern).allSatisfy { byte, expected in
        expected == UInt8(ascii: "0") ? (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte : byte == expected
      }
  }

  /// Whether a text can be the label of an activity in a name. Lower case can be longer than what it was made of.
  private static func isFileNamePart(_ text: String) -> Bool {
    (1...120).contains(text.count) && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
  }

  /// Whether a name is one that coach gives to a file of a session, also while it is being written.
  static func isOwn(_ name: String) -> Bool { files.contains(TemporaryName.final(of: name) ?? name) }

  /// Whether a name is that of a file of a session, when it is whole.
  package static func isFile(_ name: String) -> Bool { files.contains(name) }

  /// Whether a name is one that a file of a session has until it is whole.
  package static func isBeingWritten(_ name: String) -> Bool { TemporaryName.final(of: name).map(isFile) == true }

  /// Whether a name is that of a file of lines: a raw log or the journal.
  package static func isLog(_ name: String) -> Bool {
    files.contains(name) && (name.hasSuffix(".csv") || name == decisions)
  }

  /// The names in the folder of a session that coach did not give, or not to that, and what belongs to another user: what is deleted
  /// leaves them alone. A link of the user's own is none of them, since nothing is lost with it. `code` says why, as one of ``FileError``.
  ///
  /// - Throws: `FileError` when the folder cannot be listed.
  package static func strangers(in folder: StoredPath) throws(FileError) -> [(name: String, code: Int32)] {
    var strangers: [(name: String, code: Int32)] = []
    for name in try FileSystem.list(folder) {
      let place = folder + "/" + name
      guard let status = try FileSystem.status(place) else { continue }
      if place.isOwned, !status.isOfUser {
        strangers.append((name, FileError.foreignOwner))
      } else if !status.isLink, status.isFolder || !isOwn(name) {
        strangers.append((name, FileError.notOurs))
      }
    }
    return strangers
  }

  /// Deletes the folder of a session with the files of a session in it; nothing when it is not there. A link goes, and what
  /// it leads to stays.
  ///
  /// - Throws: `FileError` with `remove` when something cannot be deleted, or about the first of the ``strangers(in:)``,
  ///   which stay.
  package static func remove(_ folder: StoredPath) throws(FileError) {
    var attemptsLeft = mostAttempts
    while try FileSystem.status(folder) != nil {
      let strangers = try strangers(in: folder)
      for name in try FileSystem.list(folder) where !strangers.contains(where: { $0.name == name }) {
        // Whoever mends a file gives it its name meanwhile.
        try FileSystem.removeIfPresent(folder + "/" + name)
      }
      if let stranger = strangers.first {
        throw FileError(.remove, (folder + "/" + stranger.name).path, code: stranger.code)
      }
      attemptsLeft -= 1
      do throws(FileError) {
        return try FileSystem.remove(folder)
      } catch  where error.isMissing || error.isFull && attemptsLeft > 0 {}
    }
  }

  /// The files of coach in the folder of a session, the largest first; not the ``strangers(in:)``.
  ///
  /// - Throws: `FileError` when the folder cannot be listed.
  package static func largestFirst(in folder: StoredPath) throws(FileError) -> [StoredPath] {
    let strangers = try strangers(in: folder)
    var files: [(path: StoredPath, size: Int)] = []
    for name in try FileSystem.list(folder).sorted() where !strangers.contains(where: { $0.name == name }) {
      files.append((folder + "/" + name, try FileSystem.status(folder + "/" + name)?.size ?? 0))
    }
    return files.sorted { $0.size > $1.size }.map(\.path)
  }

  /// How often a folder is emptied at most in which another process still mends a file.
  private static let mostAttempts = 10
}

extension UInt8 {
  /// Whether it is one of `0` to `9` and `a` to `f`.
  fileprivate var isHexadecimalDigit: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= self || (UInt8(ascii: "a")...UInt8(ascii: "f")) ~= self
  }
}
