internal import SessionStore

/// What was taken of a session that goes on after the process is gone, on its way to the journal.
struct InputLog {
  private var offset = 0
  private var bytes: [UInt8] = []
  /// How many bytes of memory are kept for the next inputs.
  private static let keptBytes = 640

  /// A log of which so many bytes are written.
  init(offset: Int = 0) { self.offset = offset }

  /// Whether nothing waits.
  var isEmpty: Bool { bytes.isEmpty }

  /// Takes an input.
  mutating func append(_ input: SessionInput) { input.append(to: &bytes) }

  /// Appends what waits as a piece of a file; whether there was any.
  mutating func drain(into frames: inout [UInt8]) -> Bool {
    guard !bytes.isEmpty else { return false }
    SessionFileChunks.append(bytes.span, of: .inputs, at: offset, to: &frames)
    offset += bytes.count
    if bytes.capacity > Self.keptBytes { bytes = [] } else { bytes.removeAll(keepingCapacity: true) }
    return true
  }
}
