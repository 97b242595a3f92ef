package import Recordings
internal import TextFormats

/// The recordings in a folder or in an archive of many, one after the other, in the order of their names.
///
/// Links are not followed, and only regular files are opened. An archive in a folder or in an archive is looked into, to a
/// depth of two archives; names in it are only ever shown. What is no recording is counted, and no error: hidden and
/// other files, files without an activity, such as a watch's settings and its days, and sessions of coach.
/// - Complexity: The memory is that of one recording and of the names of the folders on the way to it; an entry of an
///   archive is unpacked into a file without a name.
package struct RecordingWalk {
  /// What was found next.
  package enum Found {
    /// A recording.
    case recording(Recording)
    /// What should be one and cannot be used, and why.
    case problem(path: String, any Error)
  }

  /// How deep folders are looked into.
  static let deepestFolder = 64
  /// How deep archives are looked into.
  static let deepestArchive = 2

  /// What was left out so far.
  package private(set) var leftOut = LeftOutFiles()

  private enum Frame {
    /// The names that are still to come, the next one last.
    case folder(String, names: [String], depth: Int)
    case archive(ArchiveWalk, depth: Int)
  }

  private let budget: ReadingBudget
  private var frames: [Frame] = []
  private var folders = 0

  /// Begins at a folder, or at an archive of many recordings; `nil` for everything else, which is one recording or none.
  ///
  /// - Throws: `FileError` when it cannot be looked at, `RecordingError` when it is an archive that cannot be used.
  package init?(_ path: String, budget: ReadingBudget = .standard) throws {
    self.budget = budget
    guard let status = try FileSystem.status(path) else { return nil }
    if status.isFolder {
      guard try !SessionFolder.hasSession(path) else { return nil }
      try enter(folder: path)
    } else {
      guard let beginning = try FileSystem.beginning(of: path, count: 4), ZipArchive.isArchive(beginning.span),
        let several = try ArchivedRecordings(several: path)
      else { return nil }
      frames = [.archive(try ArchiveWalk(path: path, shownAs: path, several), depth: 1)]
    }
  }

  /// What comes next; `nil` at the end.
  package mutating func next() -> Found? {
    while let frame = frames.popLast() {
      switch frame {
      case .folder(let path, var names, let depth):
        folders = depth
        guard let name = names.popLast() else { continue }
        frames.append(.folder(path, names: names, depth: depth))
        if let found = look(at: path, name) { return found }
      case .archive(var walk, let depth):
        guard let step = walk.next(&leftOut) else { continue }
        // A budget that is used up ends the archive.
        if !walk.isOverBudget { frames.append(.archive(walk, depth: depth)) }
        if let found = take(step, depth) { return found }
      }
    }
    return nil
  }

  // MARK: - Folders

  private mutating func enter(folder path: String) throws(FileError) {
    frames.append(.folder(path, names: try FileSystem.list(path).reversed(), depth: folders + 1))
  }

  private mutating func look(at folder: String, _ name: String) -> Found? {
    let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
    do {
      guard let status = try FileStatus(ofLinkOrFile: path) else { return nil }
      if name.hasPrefix(".") {
        leftOut.hidden += 1
      } else if status.isFolder {
        try look(atFolder: path, name, in: folder)
      } else if status.isRegular {
        return look(atFile: path)
      } else {
        leftOut.links += 1
      }
      return nil
    } catch {
      return .problem(path: path, error)
    }
  }

  private mutating func look(atFolder path: String, _ name: String, in folder: String) throws(FileError) {
    if try SessionFolder.hasSession(path) {
      leftOut.sessions += 1
    } else if name == "workout-routes", try FileSystem.has(folder + "/export.xml") {
      // The routes of an export of Apple Health are of its workouts.
      leftOut.others += 1
    } else if folders >= Self.deepestFolder {
      leftOut.tooDeep += 1
    } else {
      try enter(folder: path)
    }
  }

  private mutating func look(atFile path: String) -> Found? {
    let beginning: [UInt8]
    do {
      beginning = try FileSystem.beginning(of: path, count: RecordingFormat.beginningBytes) ?? []
    } catch {
      return .problem(path: path, error)
    }
    guard ZipArchive.isArchive(beginning.span) else {
      guard let likeness = RecordingLikeness(name: path, beginning: beginning) else {
        leftOut.others += 1
        return nil
      }
      return open(path, shownAs: path, likeness, unpacked: nil)
    }
    guard RecordingLikeness.isArchive(name: path) else {
      leftOut.others += 1
      return nil
    }
    return enter(archive: path, shownAs: path, depth: 1, unpacked: nil)
  }

  // MARK: - Archives

  private mutating func take(_ step: ArchiveWalk.Step, _ depth: Int) -> Found? {
    switch step {
    case .problem(let path, let error): return .problem(path: path, error)
    case .recording(let unpacked, let path, let likeness):
      return open(unpacked.path, shownAs: path, likeness, unpacked: unpacked)
    case .archive(let unpacked, let path):
      return enter(archive: unpacked.path, shownAs: path, depth: depth + 1, unpacked: unpacked)
    case .nestedArchive(let unpack):
      guard depth < Self.deepestArchive else {
        leftOut.tooDeep += 1
        return nil
      }
      return take(unpack(), depth)
    }
  }

  /// Goes into an archive of many; one of a single recording is that recording.
  private mutating func enter(archive path: String, shownAs name: String, depth: Int, unpacked: UnpackedEntry?)
    -> Found?
  {
    do {
      guard let several = try ArchivedRecordings(several: path) else {
        return open(path, shownAs: name, .archive, unpacked: unpacked)
      }
      frames.append(.archive(try ArchiveWalk(path: path, shownAs: name, several, unpacked: unpacked), depth: depth))
      return nil
    } catch {
      return .problem(path: name, Recording.error(error, at: path, shownAs: name))
    }
  }

  private mutating func open(
    _ path: String, shownAs name: String, _ likeness: RecordingLikeness, unpacked: UnpackedEntry?
  ) -> Found? {
    do {
      return .recording(try Recording(path: path, shownAs: name, unpacked: unpacked, budget: budget))
    } catch let error as RecordingError where error.lacksActivity {
      leftOut.withoutActivity += 1
    } catch let error as RecordingError where likeness == .table && unpacked?.problem == nil && !error.lacksTimeOfDay {
      // Tables of all kinds are in such places; only one whose columns are known is a recording.
      _ = error
      leftOut.others += 1
    } catch {
      return .problem(path: name, error)
    }
    return nil
  }
}
