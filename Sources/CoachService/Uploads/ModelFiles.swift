internal import ActivityRecognition
internal import Synchronization
internal import TextFormats

/// The models of the service as files that the verbs read which work on what strangers send: one for each, made when it is asked for
/// first, which none of them can change for the others.
final class ModelFiles: Sendable {
  /// By the hash of a model.
  private let known = Mutex<[String: SealedFile]>([:])

  /// The file of a model.
  ///
  /// - Throws: `FileError` when it cannot be made.
  func file(of model: SharedModel) throws(FileError) -> SealedFile {
    try known.withLock { known throws(FileError) in
      if let file = known[model.hash] { return file }
      let file = try SealedFile(
        model.file ?? MotionModelFile.bytes(of: model.model), named: model.name + SharedModel.fileEnding)
      known[model.hash] = file
      return file
    }
  }
}
