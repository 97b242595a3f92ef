package import TextFormats
internal import WorkoutSession

/// What somebody writes down about a session afterwards: a note and tags.
///
/// It stands in a file of its own beside the logs, which is written anew, whole or not at all; no log is ever touched.
package struct SessionNotes: Hashable, Sendable {
  /// The version of the file.
  static let version = 1
  /// The largest file that is read, in bytes.
  static let largestBytes = 64 << 10
  /// The most characters of a note.
  package static let mostCharacters = 2_000
  /// The most tags of a session.
  package static let mostTags = 32
  /// The most characters of a tag.
  package static let longestTag = 32

  /// The note; absent when there is none.
  package private(set) var note: String?
  /// The tags, sorted, each once.
  package private(set) var tags: [String] = []

  /// Nothing written down.
  package init() {}

  /// Whether nothing is written down.
  package var isEmpty: Bool { note == nil && tags.isEmpty }

  /// Whether a text can be a note: 1 to 2,000 characters in at most four bytes each, none that steers but tabs and ends of lines.
  package static func isNote(_ text: String) -> Bool {
    (1...mostCharacters).contains(text.count) && text.utf8.count <= 4 * mostCharacters
      && !text.unicodeScalars.contains {
        $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t"
      }
  }

  /// Whether a text can be a tag: 1 to 32 letters, digits, hyphens and underscores.
  package static func isTag(_ text: String) -> Bool {
    (1...longestTag).contains(text.count) && text.utf8.count <= 4 * longestTag && text.isLabel(punctuation: "-_")
      && text.first != "-"
  }

  /// Writes another note down; `nil` takes it away.
  ///
  /// - Precondition: the text can be a note.
  package mutating func write(note text: String?) {
    precondition(text.map(Self.isNote) ?? true, "a note is a text of some characters")
    note = text
  }

  /// Puts tags on and takes others away; whether there is room for them.
  ///
  /// - Precondition: the texts can be tags.
  package mutating func change(adding added: [String], removing removed: [String]) -> Bool {
    precondition(added.allSatisfy(Self.isTag), "a tag is a label")
    let changed = Set(tags).union(added).subtracting(removed)
    guard changed.count <= Self.mostTags else { return false }
    tags = changed.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return true
  }

  /// Reads `note` and `tags` of an object; either may be absent.
  ///
  /// - Throws: `JSONError` for a text that cannot be one.
  package init(members reader: inout JSONObjectReader) throws(JSONError) {
    let characters = JSONField<String>.string.mapped(to: "1 to \(Self.mostCharacters) characters") {
      Self.isNote($0) ? $0 : nil
    }
    note = try reader.optional("note", characters)
    let tag = JSONField<String>.string.mapped(to: "up to \(Self.longestTag) letters, digits, - and _") {
      Self.isTag($0) ? $0 : nil
    }
    _ = change(adding: try reader.optional("tags", .array(of: tag, count: 0...Self.mostTags)) ?? [], removing: [])
  }

  /// Writes what is written down about a session as one object of type `notes`.
  package func writeObject(of sessionID: String, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "notes")
      writer.member("sessionID", sessionID)
      writer.member("note", note)
      writer.array("tags") { for tag in tags { $0.value(tag) } }
    }
  }

  // MARK: - The file

  /// Reads what is written down in the folder of a session; nothing where there is no file.
  ///
  /// - Throws: `FileError` when the file cannot be read, is no regular file or is too large, `RecordingError` when it says
  ///   something else than expected.
  package static func read(in place: some FilePlace) throws -> SessionNotes {
    let path = place.stored + "/" + SessionFolder.notes
    guard try FileSystem.status(path) != nil else { return SessionNotes() }
    let text = try POSIXFile(reading: path).readAll(maximumBytes: largestBytes)
    do {
      return try SessionNotes(file: text)
    } catch {
      throw RecordingError(path: path.path, problem: "\(error)")
    }
  }

  /// Reads the text of a file.
  ///
  /// - Throws: `JSONError` when it says something else than expected.
  package init(file text: [UInt8]) throws(JSONError) {
    var reader = try JSONObjectReader(try JSONValue.parse(text.span))
    try reader.requireVersion(Self.version)
    _ = try reader.required("type", .word(["notes": true]))
    self = try SessionNotes(members: &reader)
    try reader.finish()
  }

  /// The text of the file; `nil` where nothing is written down, which is no file.
  package var file: [UInt8]? {
    guard !isEmpty else { return nil }
    var writer = JSONWriter(.pretty)
    writer.object { writer in
      writer.member("version", Self.version)
      writer.member("type", "notes")
      writer.member("note", note)
      writer.array("tags") { for tag in tags { $0.value(tag) } }
    }
    writer.endLine()
    return writer.bytes
  }

  /// Writes it down in the folder of a session; a file that would say nothing goes.
  ///
  /// - Throws: `FileError` when it cannot be written; the file is then as it was.
  package func write(to folder: StoredPath) throws(FileError) {
    let path = folder + "/" + SessionFolder.notes
    guard let text = file else { return try FileSystem.removeIfPresent(path) }
    try FileSystem.writeAtomically(text.span, to: path)
  }
}
