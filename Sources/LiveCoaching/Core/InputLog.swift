internal import SessionStore

/// What was taken of a session that goes on after the process is gone, on its way to the journal.
struct InputLog {
  private var offset = 0
  private var bytes: [UInt8] = []

  /// A log of which so many bytes are written.
  init(offset: Int = 0) { self.offset = offset }

  /// Whether nothing waits.
  var isEmpty: Bool { bytes.isEmpty }

  /// Takes an input, which waits in memory that is taken from `spare`.
  mutating func append(_ input: SessionInput, _ spare: SpareBuffers) {
    if bytes.isEmpty { bytes = spare.take() }
    input.append(to: &bytes)
  }

  /// Appends what waits as a piece of a file, and gives its memory back; whether there was any.
  mutating func drain(into frames: inout [UInt8], _ spare: SpareBuffers) -> Bool {
    guard !bytes.isEmpty else { return false }
    SessionFileChunks.append(bytes.span, of: .inputs, at: offset, to: &frames)
    offset += bytes.count
    spare.giveBack(&bytes)
    return true
  }
}
