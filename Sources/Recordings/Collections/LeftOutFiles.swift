/// How many files of a folder or an archive were left out, by what they are.
package struct LeftOutFiles: Hashable, Sendable {
  /// Files of a device without a recorded activity, such as its settings.
  package var withoutActivity = 0
  /// Files of other kinds.
  package var others = 0
  /// Files and folders whose names begin with a full stop.
  package var hidden = 0
  /// Links, and what is no file.
  package var links = 0
  /// Folders of sessions.
  package var sessions = 0
  /// Folders and archives that lie too deep.
  package var tooDeep = 0
  /// Archives that are cut off: nobody knows what stood behind.
  package var cutArchives = 0

  package init() {}

  /// What was left out, in one line; `nil` when nothing was.
  package var sentence: String? {
    let parts = [
      (withoutActivity, "file without a recorded activity", "files without a recorded activity"),
      (others, "other file", "other files"), (hidden, "hidden file or folder", "hidden files and folders"),
      (links, "link or special file", "links and special files"),
      (sessions, "session of coach", "sessions of coach"), (tooDeep, "nested too deep", "nested too deep"),
      (cutArchives, "end of an archive that is cut off", "ends of archives that are cut off"),
    ].compactMap { count, one, many in count == 0 ? nil : "\(count) \(count == 1 ? one : many)" }
    return parts.isEmpty ? nil : "left out: " + parts.joined(separator: ", ")
  }
}
