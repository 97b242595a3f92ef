internal import TextFormats

/// Bytes in the wire format of protocol buffers, in which ONNX files are.
///
/// Source: Google, *Protocol Buffers: Encoding*.
struct ProtocolBuffer {
  private(set) var bytes: [UInt8] = []

  private mutating func append(variable number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Adds a whole number.
  mutating func add(_ field: UInt64, _ number: Int) {
    append(variable: field << 3)
    append(variable: UInt64(bitPattern: Int64(number)))
  }

  /// Adds a number of 32 bits.
  mutating func add(_ field: UInt64, _ number: Float) {
    append(variable: field << 3 | 5)
    bytes.appendLittleEndian(number.bitPattern)
  }

  /// Adds bytes.
  mutating func add(_ field: UInt64, bytes content: [UInt8]) {
    append(variable: field << 3 | 2)
    append(variable: UInt64(content.count))
    bytes += content
  }

  /// Adds a text.
  mutating func add(_ field: UInt64, _ text: String) { add(field, bytes: Array(text.utf8)) }

  /// Adds a message.
  mutating func add(_ field: UInt64, _ body: (inout ProtocolBuffer) -> Void) {
    var message = ProtocolBuffer()
    body(&message)
    add(field, bytes: message.bytes)
  }
}
