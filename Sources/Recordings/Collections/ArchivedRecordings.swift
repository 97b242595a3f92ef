internal import TextFormats

/// What an archive of several recordings is walked by, and what is left out of one that is opened as one recording.
package struct ArchivedRecordings {
  /// The only recording among tables and archives, which is given first.
  let first: ZipEntry?

  private init(first: ZipEntry?) { self.first = first }

  /// What an archive holds when that is several recordings, or archives that may hold some, and no export of Apple Health; else
  /// `nil`.
  ///
  /// - Throws: `FileError` when it cannot be read, `RecordingError` when it cannot be used.
  package init?(several path: String) throws {
    let archive = try ZipArchive(path: path)
    let contents = try RecordingSource.contents(of: archive)
    if contents.areSeveral {
      first = nil
      return
    }
    guard let only = contents.onlyRecording, try !Self.readable(contents.tables, of: archive, atMost: 1).isEmpty else {
      return nil
    }
    first = only
  }

  /// That a file which is opened as one recording is an archive with further ones, which are left out; `nil` for every other file.
  ///
  /// - Throws: `FileError` when it cannot be read, `RecordingError` when it cannot be used.
  package static func leftOut(besideRecordingOf path: String) throws -> RecordingWarning? {
    guard let beginning = try FileSystem.beginning(of: path, count: 4), ZipArchive.isArchive(beginning.span) else {
      return nil
    }
    let archive = try ZipArchive(path: path)
    return try leftOut(of: archive, RecordingSource.contents(of: archive))
  }

  /// The same for an archive that was looked at.
  static func leftOut(of source: RecordingSource) throws -> RecordingWarning? {
    guard let archive = source.archive, let contents = source.contents else { return nil }
    return try leftOut(of: archive, contents)
  }

  private static func leftOut(of archive: ZipArchive, _ contents: ArchiveContents) throws -> RecordingWarning? {
    let others: [ZipEntry]
    if contents.hasExport {
      let tables = archive.entries.filter { $0.isTable }.prefix(RecordingSource.mostLookedAt)
      others = try archive.entries.filter { $0.isRecordingBesideExport } + readable(Array(tables), of: archive)
    } else if contents.onlyRecording != nil {
      others = try readable(contents.tables, of: archive) + contents.archives
    } else {
      others = contents.archives
    }
    let first = others.min { $0.headerOffset < $1.headerOffset }
    return first.map {
      RecordingWarning(kind: .recordingsLeftOut, position: $0.messageName, count: others.count, detail: nil)
    }
  }

  /// Those of some tables whose beginnings can be read as recordings.
  private static func readable(
    _ tables: [ZipEntry], of archive: ZipArchive, atMost most: Int = .max
  ) throws -> [ZipEntry] {
    guard !tables.isEmpty else { return [] }
    let file = try POSIXFile(reading: archive.path)
    var found: [ZipEntry] = []
    for table in tables where found.count < most {
      do {
        let beginning = try archive.beginning(of: table, in: file, count: TableBeginning.longest)
        if TableBeginning(beginning).isRecording { found.append(table) }
      } catch is DecodingProblem {
        continue
      }
    }
    return found
  }
}

extension ZipEntry {
  /// Whether its name is that of a recording which is no route of an export of Apple Health.
  fileprivate var isRecordingBesideExport: Bool {
    RecordingLikeness.isRecording(name: name) && !name.split(separator: "/").dropLast().contains("workout-routes")
  }
}
