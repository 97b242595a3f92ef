private import CZlib

/// Unpacks what zlib packed. It owns the handle of zlib, so it is a class.
@safe
final class Inflater {
  /// What is around the packed bytes.
  enum Wrapper {
    /// The header and the checksum of gzip, which are checked.
    case gzip
    /// Nothing, as in an archive.
    case deflate
  }

  /// How an attempt ended.
  enum Outcome {
    case more
    case ended
    case damaged(String)
  }

  private let stream: UnsafeMutablePointer<z_stream>

  /// Creates an unpacker at the beginning.
  init(_ wrapper: Wrapper) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let code =
      switch wrapper {
      case .gzip: unsafe coach_inflate_init_gzip(stream)
      case .deflate: unsafe coach_inflate_init_raw(stream)
      }
    guard code == Z_OK else { preconditionFailure("no memory to unpack") }
  }

  deinit {
    _ = unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Begins anew with the same wrapper.
  func beginMember() { _ = unsafe inflateReset(stream) }

  /// Unpacks into `output` as much as there is room for.
  func inflate(_ input: Span<UInt8>, into output: inout [UInt8]) -> (read: Int, written: Int, outcome: Outcome) {
    let given = min(input.count, Int(UInt32.max))
    return unsafe output.withUnsafeMutableBufferPointer { output in
      unsafe input.withUnsafeBufferPointer { input in
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(given)
        unsafe stream.pointee.next_out = output.baseAddress
        unsafe stream.pointee.avail_out = UInt32(output.count)
        let code = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
        let outcome: Outcome =
          switch code {
          case Z_OK, Z_BUF_ERROR: .more
          case Z_STREAM_END: .ended
          default: unsafe .damaged(stream.pointee.msg.map { unsafe String(cString: $0) } ?? "error \(code)")
          }
        unsafe stream.pointee.next_in = nil
        unsafe stream.pointee.next_out = nil
        return unsafe (given - Int(stream.pointee.avail_in), output.count - Int(stream.pointee.avail_out), outcome)
      }
    }
  }
}
