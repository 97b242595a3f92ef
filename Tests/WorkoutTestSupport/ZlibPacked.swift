import CZlib

/// One gzip member, packed by zlib itself.
func packed(_ bytes: [UInt8]) -> [UInt8] { zlibPacked(bytes, windowBits: 31) }

/// Deflated bytes without anything around them, as zip archives hold them, packed by zlib itself.
func deflated(_ bytes: [UInt8]) -> [UInt8] { zlibPacked(bytes, windowBits: -15) }

private func zlibPacked(_ bytes: [UInt8], windowBits: Int32) -> [UInt8] {
  var stream = unsafe z_stream()
  let size = unsafe Int32(MemoryLayout<z_stream>.size)
  guard unsafe deflateInit2_(&stream, 6, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
  else { return [] }
  defer { _ = unsafe deflateEnd(&stream) }
  var input = bytes
  var output = [UInt8](repeating: 0, count: bytes.count + 1000)
  let count = unsafe input.withUnsafeMutableBufferPointer { input in
    unsafe output.withUnsafeMutableBufferPointer { output in
      unsafe stream.next_in = input.baseAddress
      unsafe stream.avail_in = UInt32(input.count)
      unsafe stream.next_out = output.baseAddress
      unsafe stream.avail_out = UInt32(output.count)
      _ = unsafe deflate(&stream, Z_FINISH)
      return unsafe output.count - Int(stream.avail_out)
    }
  }
  return Array(output[..<count])
}
