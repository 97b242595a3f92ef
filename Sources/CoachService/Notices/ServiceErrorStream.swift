internal import Synchronization
internal import TextFormats

/// Standard error, where a service writes what happens.
package enum ServiceErrorStream {
  private static let taker = Mutex<(@Sendable ([UInt8]) -> Void)?>(nil)

  /// Has lines taken by somebody else, who does not wait: a terminal that takes nothing would hold up whoever answers a request.
  package static func give(to taker: @escaping @Sendable ([UInt8]) -> Void) { self.taker.withLock { $0 = taker } }

  /// Writes whole lines; what cannot be written is lost.
  static func write(_ bytes: [UInt8]) {
    if let taker = taker.withLock({ $0 }) { return taker(bytes) }
    try? POSIXFile(borrowing: 2, named: "standard error").write(bytes.span)
  }
}
