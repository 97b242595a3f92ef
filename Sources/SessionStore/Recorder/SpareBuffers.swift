internal import TextFormats

/// Memory for bytes that wait for a moment: sessions that take turns share it, so that none keeps any for its next turn.
package final class SpareBuffers {
  /// How many are kept.
  static let most = 32
  /// How large one is that is kept, in bytes.
  static let largest = 16 << 10

  /// What writes records; it has nothing between two of them.
  var writer = JSONWriter()
  /// What writes the times of rows: sessions that go on at once have them in the same seconds.
  var seconds = SecondText()
  private var buffers: [[UInt8]] = []

  /// None yet.
  package init() {}

  /// How many are kept now.
  var count: Int { buffers.count }

  /// An empty one.
  package func take() -> [UInt8] { buffers.popLast() ?? [] }

  /// Takes back the memory of one, and leaves an empty one without memory.
  package func giveBack(_ buffer: inout [UInt8]) {
    var emptied: [UInt8] = []
    swap(&emptied, &buffer)
    Self.keep(&emptied, in: &buffers)
  }

  private static func keep(_ buffer: inout [UInt8], in buffers: inout [[UInt8]]) {
    guard buffers.count < most, buffer.capacity > 0, buffer.capacity <= largest else { return }
    buffer.removeAll(keepingCapacity: true)
    buffers.append(buffer)
  }
}
