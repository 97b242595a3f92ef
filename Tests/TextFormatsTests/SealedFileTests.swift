import Glibc
import Testing
import TextFormats

@Suite("A file in memory that nobody can change")
struct SealedFileTests {
  @Test("Is read from its first byte by whoever opens it, and written, cut and extended by nobody")
  func sealed() throws {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
    let file = try SealedFile(bytes, named: "a model")
    for _ in 0..<2 {
      #expect(try POSIXFile(reading: file.path).readAll(maximumBytes: 1 << 20) == bytes)
    }
    let opened = unsafe open(file.path, O_RDWR | O_CLOEXEC)
    if opened >= 0 {
      #expect(unsafe write(opened, "x", 1) < 0)
      #expect(ftruncate(opened, 1) < 0)
      #expect(ftruncate(opened, 1 << 20) < 0)
      _ = close(opened)
    }
    #expect(try POSIXFile(reading: file.path).readAll(maximumBytes: 1 << 20) == bytes)
  }
}
