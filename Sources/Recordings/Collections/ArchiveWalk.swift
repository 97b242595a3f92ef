internal import TextFormats

/// The entries of an archive that look like recordings, one after the other, in the order of their names. An only recording among
/// tables comes first, since some of these may be copies of it.
package struct ArchiveWalk {
  /// What was found next.
  package enum Step {
    case recording(UnpackedEntry, path: String, RecordingLikeness)
    case archive(UnpackedEntry, path: String)
    /// An archive in the archive, which is unpacked when that is asked for.
    case nestedArchive(unpack: () -> Step)
    case problem(path: String, any Error)
  }

  /// How much may come out of an archive in all: as much as for gzip, and a gigabyte of whatever size it is.
  private static let limits = GzipLimits(freeBytes: 1 << 30, ratio: 200, totalBytes: 64 << 30)

  private let archive: ZipArchive
  private let file: POSIXFile
  private let shownPath: String
  /// The file of an archive that stood in another one.
  private let unpacked: UnpackedEntry?
  private let entries: [ZipEntry]
  /// An entry that is a recording whatever it looks like.
  private let first: ZipEntry?
  private var index = 0
  /// Whether it is still to be said that the archive is cut off.
  private var isCutUnsaid: Bool
  private let largest: Int
  private let budget: Budget

  /// The bytes that may still come out; shared, because an entry is unpacked when it is asked for.
  private final class Budget {
    var bytes: Int
    init(_ bytes: Int) { self.bytes = bytes }
  }

  /// Opens an archive.
  ///
  /// - Throws: `FileError` when it cannot be read, `RecordingError` when it cannot be used.
  package init(
    path: String, shownAs shownPath: String, _ several: ArchivedRecordings, unpacked: UnpackedEntry? = nil
  ) throws {
    archive = try ZipArchive(path: path)
    isCutUnsaid = archive.warnings.contains { $0.kind == .truncated }
    file = try POSIXFile(reading: path)
    self.shownPath = shownPath
    self.unpacked = unpacked
    first = several.first
    largest = Self.limits.maximumBytes(packed: try file.status().size)
    budget = Budget(largest)
    entries = archive.entries.enumerated()
      .sorted { left, right in
        let (isLeftFirst, isRightFirst) = (left.element == several.first, right.element == several.first)
        guard isLeftFirst == isRightFirst else { return isLeftFirst }
        let (a, b) = (left.element.name.utf8, right.element.name.utf8)
        return a.elementsEqual(b) ? left.offset < right.offset : a.lexicographicallyPrecedes(b)
      }
      .map(\.element)
  }

  /// Whether so much came out that nothing further is looked at.
  package var isOverBudget: Bool { budget.bytes <= 0 }

  /// The next entry that looks like a recording or an archive; `nil` at the end. Others are counted.
  package mutating func next(_ leftOut: inout LeftOutFiles) -> Step? {
    if isCutUnsaid {
      isCutUnsaid = false
      leftOut.cutArchives += 1
    }
    while index < entries.count, !isOverBudget {
      let entry = entries[index]
      index += 1
      let path = shownPath + "/" + entry.shownName
      if entry.isHidden {
        leftOut.hidden += 1
        continue
      }
      do {
        let beginning = try archive.beginning(of: entry, in: file, count: RecordingFormat.beginningBytes)
        if ZipArchive.isArchive(beginning.span), RecordingLikeness.isArchive(name: entry.name) {
          return .nestedArchive { [self] in step(entry, path) { .archive($0, path: path) } }
        }
        let likeness = RecordingLikeness(name: entry.name, beginning: beginning)
        guard let likeness = likeness ?? (entry == first ? .recording : nil) else {
          leftOut.others += 1
          continue
        }
        return step(entry, path) { .recording($0, path: path, likeness) }
      } catch {
        guard RecordingLikeness.isRecording(name: entry.name) || RecordingLikeness.isArchive(name: entry.name) else {
          leftOut.others += 1
          continue
        }
        return .problem(path: path, Self.error(error, path))
      }
    }
    return nil
  }

  /// Unpacks an entry.
  private func step(_ entry: ZipEntry, _ path: String, _ found: (UnpackedEntry) -> Step) -> Step {
    do {
      let unpacked = try UnpackedEntry(entry, of: archive, in: self.unpacked, largest: budget.bytes)
      budget.bytes -= unpacked.byteCount
      guard !isOverBudget else {
        return .problem(
          path: shownPath,
          RecordingError(path: shownPath, problem: "more than \(largest) unpacked bytes: expected fewer"))
      }
      return found(unpacked)
    } catch {
      return .problem(path: path, Self.error(error, path))
    }
  }

  /// An error with the name under which the entry is shown.
  private static func error(_ error: any Error, _ path: String) -> any Error {
    switch error {
    case let problem as DecodingProblem:
      RecordingError(path: path, position: problem.position, problem: problem.problem)
    case let error as RecordingError: RecordingError(path: path, position: error.position, problem: error.problem)
    default: error
    }
  }
}

extension ZipEntry {
  /// Whether the last part of its name begins with a full stop.
  fileprivate var isHidden: Bool { name.split(separator: "/").last?.hasPrefix(".") ?? false }
}
