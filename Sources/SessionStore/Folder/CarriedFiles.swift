package import TextFormats

/// What of the folder of a session goes along into a backup, an export or a store of objects: one rule for all of them.
///
/// Every regular file goes along, whoever wrote it and whatever it is called, and so does a folder in there: it is what somebody keeps with
/// the session. A link, a pipe and the like, and what belongs to another user, is left out by name, so that nothing of outside is in a copy.
/// What was being written has no name yet, and is left out without a word.
package struct CarriedFiles: Hashable, Sendable {
  /// A file or a folder that goes along.
  package struct Part: Hashable, Sendable {
    /// Its path in the folder of the session.
    package let name: String
    /// The bytes of a file when it was looked at; `nil` of a folder.
    package let size: Int?
  }

  /// What goes along, a folder before what is in it, sorted by the bytes of their names.
  package private(set) var parts: [Part] = []
  /// What does not, by its path in the folder of the session.
  package private(set) var leftOut: [LeftOutPart] = []

  /// Looks into the folder of a session, and into those in it. What goes meanwhile is not there.
  ///
  /// - Throws: `FileError` with `inspect` when the folder, or what is in it, cannot be looked at.
  package init(in folder: StoredPath) throws(FileError) {
    var names = Array(try FileSystem.list(folder).reversed())
    while let name = names.popLast() {
      let place = folder + "/" + name
      guard let status = try FileSystem.status(place) else { continue }
      if let reason = status.reasonToLeaveOut(at: place) {
        leftOut.append(LeftOutPart(name, reason))
      } else if status.isRegular {
        if !SessionFolder.isBeingWritten(name) { parts.append(Part(name: name, size: status.size)) }
      } else {
        do throws(FileError) {
          let inner = try FileSystem.list(place)
          parts.append(Part(name: name, size: nil))
          names += inner.reversed().map { name + "/" + $0 }
        } catch  where error.isMissing {}
      }
    }
  }

  /// What goes along of the folder of a session; `nil` where that has just gone.
  ///
  /// - Throws: as for one that is there.
  package static func ofFolder(ifPresent folder: StoredPath) throws(FileError) -> CarriedFiles? {
    do throws(FileError) {
      return try CarriedFiles(in: folder)
    } catch  where error.isMissing {
      return nil
    }
  }
}

/// Something that is in no copy of a session or of a data folder.
package struct LeftOutPart: Hashable, Sendable, CustomStringConvertible {
  /// Its path, for messages.
  package let path: String
  /// Why.
  package let reason: String

  /// Creates one.
  package init(_ path: String, _ reason: String) {
    self.path = path
    self.reason = reason
  }

  /// The same, of which the path begins further up.
  package func below(_ folder: String) -> LeftOutPart { LeftOutPart(folder + "/" + path, reason) }

  /// `SESSION/steps.csv: a link or special file`.
  package var description: String { "\(path): \(reason)" }
}

extension FileStatus {
  /// Why something at a place is in no copy; `nil` of a file or a folder that is.
  package func reasonToLeaveOut(at place: StoredPath) -> String? {
    guard isRegular || isFolder else { return "a link or special file" }
    return place.isOwned && !isOfUser ? "belongs to another user" : nil
  }
}
