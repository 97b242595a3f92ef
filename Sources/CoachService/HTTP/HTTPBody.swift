internal import Synchronization
internal import TextFormats

/// How many bytes of bodies the server holds at once, in memory and on disk.
///
/// Files take a part of it, so that what they take is never missing for samples.
package final class HTTPBodyBudget: Sendable {
  /// A body that may be longer than this is a file.
  static let largestSmall = 1 << 20

  private struct State {
    var files = 0
    var others = 0
  }

  private let fileLimit: Int
  private let otherLimit: Int
  private let state = Mutex(State())

  /// A budget for files, by default of two of the largest, and one for everything else.
  package init(fileBytes: Int = 128 << 20, otherBytes: Int = 32 << 20) {
    fileLimit = fileBytes
    otherLimit = otherBytes
  }

  /// How many bytes are held.
  package var heldBytes: Int { state.withLock { $0.files + $0.others } }

  fileprivate func take(_ count: Int, isFile: Bool) -> Bool {
    state.withLock { state in
      if isFile {
        guard state.files + count <= fileLimit else { return false }
        state.files += count
      } else {
        guard state.others + count <= otherLimit else { return false }
        state.others += count
      }
      return true
    }
  }

  fileprivate func giveBack(_ count: Int, isFile: Bool) {
    state.withLock { state in
      if isFile { state.files -= count } else { state.others -= count }
    }
  }
}

/// The body of a request: in memory, until somebody moves it into a file. It counts until nobody holds it any more.
package final class HTTPBody: Sendable {
  private struct State {
    var bytes: [UInt8]
    /// How many bytes of the budget it has.
    var held = 0
  }

  private let state: Mutex<State>
  private let budget: HTTPBodyBudget?
  private let isFile: Bool

  /// A body that is there, and counts nowhere.
  package init(_ bytes: [UInt8] = []) {
    state = Mutex(State(bytes: bytes))
    budget = nil
    isFile = false
  }

  /// A body that comes in pieces; `nil` when its length is known and does not fit.
  ///
  /// - Parameters:
  ///   - length: how many bytes follow; absent when that is not known.
  ///   - limit: how many the route takes.
  init?(length: Int?, limit: Int, _ budget: HTTPBodyBudget) {
    isFile = limit > HTTPBodyBudget.largestSmall
    let expected = min(length ?? 0, limit)
    guard budget.take(expected, isFile: isFile) else { return nil }
    self.budget = budget
    var bytes: [UInt8] = []
    bytes.reserveCapacity(expected)
    state = Mutex(State(bytes: bytes, held: expected))
  }

  deinit { budget?.giveBack(state.withLock { $0.held }, isFile: isFile) }

  /// The bytes that are in memory.
  package var bytes: [UInt8] { state.withLock { $0.bytes } }

  /// How many there are.
  var count: Int { state.withLock { $0.bytes.count } }

  /// Takes a piece; `false` when there is no room for it.
  func append(_ piece: UnsafeRawBufferPointer) -> Bool {
    state.withLock { state in
      let missing = state.bytes.count + piece.count - state.held
      if missing > 0 {
        guard budget?.take(missing, isFile: isFile) ?? true else { return false }
        state.held += missing
      }
      unsafe state.bytes.append(contentsOf: piece)
      return true
    }
  }

  /// Lets go of the bytes: nobody wants them.
  func drop() {
    let held = state.withLock { state in
      defer { state = State(bytes: []) }
      return state.held
    }
    budget?.giveBack(held, isFile: isFile)
  }

  /// Moves the bytes out of memory into a file without a name; they are on the disk alone then, and count still.
  ///
  /// - Throws: `FileError` when it cannot be written.
  func moveToFile(in folder: StoredPath) throws(FileError) -> TemporaryFile {
    let bytes = state.withLock { state in
      defer { state.bytes = [] }
      return state.bytes
    }
    let file = try TemporaryFile(in: folder, to: "hold what was sent")
    if !bytes.isEmpty { try file.append(bytes.span) }
    return file
  }
}
