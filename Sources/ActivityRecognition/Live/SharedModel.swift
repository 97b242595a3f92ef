private import Synchronization
internal import TextFormats

/// A model that many sessions ask, each on a thread of its own: they take turns.
///
/// The weights of a standard network are 2 MB, and a window takes some hundred microseconds four times a second, so that one for
/// all sessions of a process is enough.
package final class SharedModel: Sendable {
  /// The model.
  package let model: MotionModel
  /// What its labels stand for.
  package let activities: ModelActivities
  /// The name of its file, without folder and without `.coachmotion`; any other ending is a part of it.
  package let name: String
  /// The SHA-256 of its file, in lower-case hexadecimal digits.
  package let hash: String
  /// The bytes of its file, so that others can go on with it; absent for one that was read from none.
  package let file: [UInt8]?

  private let recognizer: Mutex<ActivityRecognizer>

  /// Shares a model.
  package init(_ model: MotionModel, name: String, hash: String, file: [UInt8]? = nil) {
    self.model = model
    self.name = name
    self.hash = hash
    self.file = file
    activities = ModelActivities(labels: model.labels)
    recognizer = Mutex(ActivityRecognizer(model))
  }

  /// Does something with the recogniser, while nobody else does.
  package func asking<Result: Sendable>(_ body: (ActivityRecognizer) -> Result) -> Result {
    recognizer.withLock { body($0) }
  }
}

extension SharedModel {
  /// How the file of a model ends.
  package static let fileEnding = ".coachmotion"

  /// The variable of the environment that has the name of a model whose file has none, because it comes by a descriptor.
  package static let nameVariable = "COACH_MODEL_NAME"

  /// Reads the file of a model, which is called as the file is.
  ///
  /// - Throws: `FileError` when it cannot be read, `RecordingError` when it is none that can be used.
  package convenience init(path: String) throws {
    var name = FileSystem.name(of: path)
    if name.hasSuffix(Self.fileEnding) { name.removeLast(Self.fileEnding.count) }
    try self.init(path: path, name: name)
  }

  /// Reads the file of a model that is called so.
  ///
  /// - Throws: `FileError` when it cannot be read, `RecordingError` when it is none that can be used.
  package convenience init(path: String, name: String) throws {
    let bytes = try POSIXFile(reading: path).readAll(maximumBytes: MotionModelFile.largestFile)
    do throws(MotionModelError) {
      try self.init(file: bytes, name: name.isEmpty ? "model" : name)
    } catch {
      throw RecordingError(path: path, problem: "\(error)")
    }
  }

  /// Reads a model from the bytes of its file.
  ///
  /// - Throws: `MotionModelError` when they are none that can be used.
  package convenience init(file: [UInt8], name: String) throws(MotionModelError) {
    self.init(
      try MotionModelFile.model(from: file.span), name: name, hash: SHA256.hex(of: file.span), file: file)
  }
}
