internal import ActivityRecognition
internal import FleetStore
internal import Synchronization
internal import TextFormats

/// The models of sessions that recognise activities, in the database: whichever instance goes on with such a session has the model with
/// which it began, whatever it was started with.
final class FleetModels: Sendable {
  /// Where they stand among the files that the database keeps: `models/SHA-256/NAME`.
  static let folder = "models/"
  /// How many bytes a model has at most that is kept; a standard one has 2 MB.
  static let mostBytes = 64 << 20

  private struct State {
    var kept: Set<String> = []
    var read: [String: SharedModel] = [:]
  }

  private let state = Mutex(State())

  private static func path(of hash: String, _ name: String) -> String { folder + hash + "/" + name }

  /// Keeps a model with which a session begins, where it is not there yet.
  ///
  /// - Throws: `PostgresError`.
  func keep(_ model: SharedModel, in copies: FleetCopies) throws(PostgresError) {
    let path = Self.path(of: model.hash, model.name)
    let isKept = state.withLock { $0.kept.contains(path) }
    guard !isKept, let file = model.file, file.count <= Self.mostBytes else { return }
    let known = try copies.keptFiles(in: path)
    if !known.contains(where: { $0.name == path }) { _ = try copies.keep(file, as: path, of: nil, replacing: nil) }
    state.withLock { _ = $0.kept.insert(path) }
  }

  /// The model of a session that goes on; `nil` where the database has none.
  ///
  /// - Parameter hash: the SHA-256 of its file; `nil` for a session that has not begun to recognise, for which any of the name will do.
  /// - Throws: `PostgresError`, also for one that cannot be used.
  func model(named name: String, hash: String?, in copies: FleetCopies) throws(PostgresError) -> SharedModel? {
    let known = state.withLock { state in hash.flatMap { state.read[Self.path(of: $0, name)] } }
    if let known { return known }
    let place = hash.map { Self.path(of: $0, name) } ?? Self.folder
    let found = try copies.keptFiles(in: place).first { $0.name.hasSuffix("/" + name) }
    guard let found else { return nil }
    let bytes = try copies.content(of: found, mostBytes: Self.mostBytes)
    let model: SharedModel
    do throws(MotionModelError) {
      model = try SharedModel(file: bytes, name: name)
    } catch {
      throw PostgresError(.damaged, "\(found.name.visible): \(error)")
    }
    state.withLock { $0.read[found.name] = model }
    return model
  }
}
