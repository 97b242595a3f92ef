import TestSupport
@testable import WorkoutTestSupport
import Testing

@testable import TextFormats
@testable import WorkoutSession

@Suite("Names of files that are not UTF-8")
struct FileNameTests {
  /// The bytes of a text for the system, without the zero at the end.
  private static func bytes(_ text: String) -> [UInt8] { text.systemPath.dropLast().map { UInt8(bitPattern: $0) } }

  @Test("Any bytes come back as they were", arguments: 1...20 as ClosedRange<UInt64>)
  func roundTrip(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 1...50 {
      // Pieces of UTF-8, whole, cut and none, and scalars that stand for bytes.
      let pieces: [[UInt8]] = [
        [0x61], Array("é".utf8), Array("走".utf8), Array("🏃".utf8), Array("\u{10FFFF}".utf8), Array("\u{10FF80}".utf8),
        [0xFF], [0xC3], [0xE8, 0xB5], [0xF4, 0x8F, 0xBF], [0xED, 0xA0, 0x80], [0x80],
        [UInt8.random(in: 1...255, using: &random)],
      ]
      let name = (0..<Int.random(in: 0...8, using: &random)).flatMap { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &random)]
      }
      #expect(Self.bytes(FileName.text(name)) == name, "seed \(seed)")
    }
  }

  @Test("A name that is UTF-8 is that text")
  func plain() {
    #expect(FileName.text(Array("Zoë 🏃.fit".utf8)) == "Zoë 🏃.fit")
    #expect(FileName.text([0x78, 0xFF, 0x2E, 0x66]).visible == #"x\xff.f"#)
  }

  @Test("Such a file is written, listed, read, renamed and deleted")
  func files() throws {
    let folder = try ScratchFolder()
    let name = FileName.text([0x78, 0xFF, 0xC3, 0x28])
    let path = folder.path + "/" + name
    let file = try PendingFile(path)
    try file.write(Array("content".utf8).span)
    try file.commit(replacing: false)
    #expect(try FileSystem.list(folder.path) == [name])
    #expect(try POSIXFile(reading: path).readAll(maximumBytes: 100) == Array("content".utf8))
    let stored = StoredPath(folder: folder.path) + ("/" + name)
    #expect(try FileSystem.status(stored)?.isRegular == true)
    let other = folder.path + "/" + FileName.text([0x79, 0x80])
    try FileSystem.rename(path, to: other)
    #expect(!FileSystem.exists(path))
    #expect(!FileSystem.isLink(other))
    try FileSystem.remove(other)
    #expect(try FileSystem.list(folder.path).isEmpty)
  }
}
