internal import TextFormats
package import WorkoutSession
internal import ZoneEngine

/// A descriptor that lines are read from to its end, such as standard input.
package final class DescriptorSource: LiveSource {
  package let name: String
  package let origin = SessionOrigin.live
  package let originText = "stdin"
  package let activity: Activity? = nil
  private let descriptor: Int32
  private var isOver = false

  /// A source over a descriptor that belongs to somebody else.
  package init(_ descriptor: Int32, named name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  package var descriptors: [Int32] { isOver ? [] : [descriptor] }
  package var isDeserted: Bool { false }
  package var turn: Int64? { nil }

  package func collect(ready: Set<Int32>, now: Int64) -> [LiveSourceEvent] {
    guard !isOver, ready.contains(descriptor) else { return [] }
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    do throws(FileError) {
      let count = try POSIXFile(borrowing: descriptor, named: name).read(into: &chunk)
      if count > 0 { return [.bytes(Array(chunk[..<count]), connection: 0)] }
      isOver = true
      return [.left(connection: 0), .ended]
    } catch {
      isOver = true
      return [.left(connection: 0), .failed(error)]
    }
  }

  package func hear(_ events: [SessionEvent], feed: LiveFeed?) {}
  package func close() {}
}
