/// Keeps the beginning of a text, to look at it.
struct BeginningDecoder: RecordingDecoder {
  private(set) var beginning: [UInt8] = []

  mutating func feed(_ bytes: Span<UInt8>, _ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    let room = RecordingFormat.beginningBytes - beginning.count
    for index in bytes.indices.prefix(max(0, room)) { beginning.append(bytes[index]) }
  }

  mutating func finish(_ sink: (DecodedItem) -> Void) throws(DecodingProblem) {}
}
