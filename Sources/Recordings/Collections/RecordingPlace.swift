/// Where a recording is, so that it can be opened again when nothing of it is held: in a file, or in an archive.
package struct RecordingPlace: Sendable {
  /// An entry of an archive, an archive itself where another entry follows.
  struct Step: Hashable, Sendable {
    /// Where its header is in the archive.
    let headerOffset: Int
    /// How many bytes came out of it.
    let byteCount: Int
  }

  /// The file on the disk.
  let file: String
  /// The way from there, through archives; empty for the file itself.
  let steps: [Step]
  /// What the recording is called.
  package let name: String

  /// The same place with one more entry of an archive.
  func appending(_ step: Step) -> RecordingPlace { RecordingPlace(file: file, steps: steps + [step], name: name) }

  /// The same place of a recording that is called so.
  func named(_ name: String) -> RecordingPlace { RecordingPlace(file: file, steps: steps, name: name) }
}
