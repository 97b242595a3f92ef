private import CZlib
package import TextFormats

/// Packs bytes by gzip as they come and gives what comes out to a sink.
///
/// The same bytes give the same result: no time and no name stand in it.
@safe
package final class GzipWriter {
  private let stream: UnsafeMutablePointer<z_stream>
  private var output = [UInt8](repeating: 0, count: 64 << 10)

  /// Creates a packer that has taken nothing.
  package init() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    guard unsafe coach_deflate_init_gzip(stream, Z_DEFAULT_COMPRESSION) == Z_OK else {
      preconditionFailure("no memory to pack gzip")
    }
  }

  deinit {
    _ = unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Takes bytes.
  ///
  /// - Throws: what `sink` throws.
  package func write(_ bytes: Span<UInt8>, _ sink: (Span<UInt8>) throws -> Void) throws {
    var rest = 0
    while rest < bytes.count {
      let part = bytes.extracting(rest..<min(bytes.count, rest + (1 << 30)))
      try pack(part, Z_NO_FLUSH, sink)
      rest += part.count
    }
  }

  /// Ends the gzip data; nothing may be written after it.
  ///
  /// - Throws: what `sink` throws.
  package func finish(_ sink: (Span<UInt8>) throws -> Void) throws {
    let nothing: [UInt8] = []
    try pack(nothing.span, Z_FINISH, sink)
  }

  private func pack(_ input: Span<UInt8>, _ flush: Int32, _ sink: (Span<UInt8>) throws -> Void) throws {
    var taken = 0
    while true {
      let (read, written, isFull) = unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe input.extracting(droppingFirst: taken).withUnsafeBufferPointer { input in
          unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
          unsafe stream.pointee.avail_in = UInt32(input.count)
          unsafe stream.pointee.next_out = output.baseAddress
          unsafe stream.pointee.avail_out = UInt32(output.count)
          _ = unsafe deflate(stream, flush)
          let left = unsafe (input: Int(stream.pointee.avail_in), output: Int(stream.pointee.avail_out))
          unsafe stream.pointee.next_in = nil
          unsafe stream.pointee.next_out = nil
          return (input.count - left.input, output.count - left.output, left.output == 0)
        }
      }
      taken += read
      if written > 0 {
        let output = output
        try sink(output.span.extracting(first: written))
      }
      // What is left of the input or in the packer needs room that the output did not have.
      guard isFull else { return }
    }
  }
}

extension GzipWriter {
  /// Packs the next `count` bytes of a file by pieces of the size of `chunk`.
  ///
  /// - Throws: `FileError` when it cannot be read, `RecordingError` when it is shorter, or what `sink` throws.
  package func copy(
    _ file: POSIXFile, count: Int, by chunk: inout [UInt8], _ sink: (Span<UInt8>) throws -> Void
  ) throws {
    var left = count
    while left > 0 {
      let count = min(left, try file.read(into: &chunk))
      guard count > 0 else { throw RecordingError(path: file.path, problem: "became shorter while it was read") }
      let chunk = chunk
      try write(chunk.span.extracting(first: count), sink)
      left -= count
    }
  }
}
