@testable import Recordings
import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutTestSupport

@Suite("A zip archive")
struct ZipArchiveTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private let long = Array((0..<9_000).map { "line \($0 % 700) of a text\n" }.joined().utf8)

  /// A stored, a deflated and an empty entry, a folder and what macOS adds.
  private func builder(_ style: ZipBuilder.Style = ZipBuilder.Style()) -> ZipBuilder {
    var builder = ZipBuilder()
    var stored = style
    // Stored data have no end of their own.
    stored.hasDescriptor = false
    builder.add("a/", [])
    builder.add("a/stored.txt", Array("stored bytes".utf8), stored)
    builder.add("__MACOSX/a/._stored.txt", [0, 1, 2], stored)
    builder.add("a/long ü.txt", long, deflated: deflated(long), style)
    builder.add("empty", [], deflated: deflated([]), style)
    return builder
  }

  private static let styles: [ZipBuilder.Style] = {
    var styles: [ZipBuilder.Style] = []
    for bits in 0..<16 {
      var style = ZipBuilder.Style()
      style.hasDescriptor = bits & 1 != 0
      style.hasDescriptorSignature = bits & 2 == 0
      style.isWide = bits & 4 != 0
      style.hasOtherExtra = bits & 8 != 0
      styles.append(style)
    }
    return styles
  }()

  /// What comes out of every entry by its name; damage as its words.
  private func contents(_ archive: ZipArchive, piece: Int = 100_000) throws -> [String: String] {
    var contents: [String: String] = [:]
    for entry in archive.entries {
      do {
        let reader = try archive.open(entry)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: piece)
        while case let count = try reader.read(into: &buffer), count > 0 { bytes += buffer[..<count] }
        contents[entry.name] = String(decoding: bytes, as: UTF8.self) + (reader.warnings.isEmpty ? "" : " (warned)")
      } catch let problem as DecodingProblem {
        contents[entry.name] = "\(problem)"
      } catch let error as RecordingError {
        contents[entry.name] = error.problem
      }
    }
    return contents
  }

  private var expected: [String: String] {
    ["a/stored.txt": "stored bytes", "a/long ü.txt": String(decoding: long, as: UTF8.self), "empty": ""]
  }

  private func opened(_ bytes: [UInt8]) throws -> ZipArchive { try ZipArchive(path: folder.write(bytes, "a.zip")) }

  @Test("gives what was packed, however its writer writes it", arguments: styles)
  func writers(_ style: ZipBuilder.Style) throws {
    let builder = builder(style)
    for isWide in [false, true] {
      for comment in ["", "a comment", String(repeating: "PK\u{5}\u{6} ", count: 40)] {
        let archive = try opened(builder.archive(comment: Array(comment.utf8), isWide: isWide))
        #expect(archive.warnings.isEmpty)
        #expect(try contents(archive) == expected, "\(style), wide \(isWide), comment of \(comment.utf8.count)")
      }
    }
  }

  @Test("gives the same in pieces of any size")
  func pieces() throws {
    let archive = try opened(builder().archive())
    for piece in [1, 2, 1_000, 65_536, 1 << 20] { #expect(try contents(archive, piece: piece) == expected, "\(piece)") }
  }

  @Test("opens with bytes added behind it")
  func trailing() throws {
    #expect(try contents(opened(builder().archive() + [1, 2, 3])) == expected)
  }

  @Test("without its directory is read from entry to entry, with a warning", arguments: styles)
  func walk(_ style: ZipBuilder.Style) throws {
    let bytes = builder(style).bytes
    let archive = try opened(bytes)
    #expect(archive.warnings.map(\.kind) == [.truncated])
    #expect(archive.warnings.first?.position == "byte \(bytes.count)")
    #expect(try contents(archive) == expected, "\(style)")
  }

  @Test("cut anywhere gives what stands before the cut, or one error", arguments: [0, 1, 5])
  func truncation(_ number: Int) throws {
    let bytes = builder(Self.styles[number]).archive()
    var whole = 0
    for count in stride(from: 4, to: bytes.count, by: bytes.count > 2_000 ? 7 : 1) {
      do {
        let archive = try opened(Array(bytes[..<count]))
        let found = try contents(archive)
        #expect(archive.warnings.count == 1, "cut at \(count)")
        for (name, content) in found where content == expected[name] { whole += 1 }
      } catch let error as RecordingError {
        #expect(error.position?.hasPrefix("byte ") == true, "cut at \(count)")
      }
    }
    #expect(whole > 100)
  }

  @Test("with random damage neither traps nor hangs, and never gives other bytes without saying so")
  func flips() throws {
    let bytes = builder(Self.styles[4]).archive(comment: [1, 2, 3], isWide: true)
    for seed in 0..<300 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var damaged = bytes
      for _ in 0..<random.int(1...4) { damaged[random.int(4...damaged.count - 1)] = UInt8(random.int(0...255)) }
      guard let archive = try? opened(damaged) else { continue }
      for (name, content) in try contents(archive) {
        let isSaid = content.hasSuffix("(warned)") || content.contains("expected") || !archive.warnings.isEmpty
        #expect(isSaid || expected.values.contains(content), "seed \(seed): \(name)")
      }
    }
  }

  @Test("with a wrong checksum or size is read all the same, with a warning")
  func checksum() throws {
    var builder = ZipBuilder()
    var wrong = ZipBuilder.Style()
    wrong.checksumError = 1
    builder.add("a", long, deflated: deflated(long), wrong)
    builder.add("b", Array("b".utf8), wrong)
    let found = try contents(opened(builder.archive()))
    #expect(found == ["a": String(decoding: long, as: UTF8.self) + " (warned)", "b": "b (warned)"])
  }

  @Test("refuses passwords and methods that cannot be unpacked, in one line with the entry's name")
  func refusals() throws {
    var builder = ZipBuilder()
    var secret = ZipBuilder.Style()
    secret.isEncrypted = true
    builder.add("secret", [1], secret)
    var odd = ZipBuilder.Style()
    odd.method = 12
    builder.add("odd\n\u{1B}[31m", [1], odd)
    let found = try contents(opened(builder.archive()))
    #expect(found["secret"] == "secret: needs a password: expected an entry without one")
    #expect(found["odd\n\u{1B}[31m"] == #"odd\u{a}\u{1b}[31m: packed by method 12: expected it stored or deflated"#)
  }

  @Test("refuses entries that overlap or lie outside of it")
  func overlaps() throws {
    for change in [0, 1, 2, 3] {
      var builder = ZipBuilder()
      var style = ZipBuilder.Style()
      style.isWide = true
      if change == 1 { style.packedBytes = 1_000_000 }
      if change == 2 { style.packedBytes = .max }
      builder.add("a", long, deflated: deflated(long), style)
      style.packedBytes = nil
      if change == 0 { style.offset = 0 }
      if change == 3 { style.offset = .max }
      builder.add("b", Array("bb".utf8), style)
      let error = #expect(throws: RecordingError.self) { try opened(builder.archive()) }
      #expect(error?.problem.hasSuffix("expected an entry that ends before the next begins") == true, "\(change)")
    }
  }

  @Test("refuses a directory that cannot be there")
  func directory() throws {
    let bytes = builder().archive()
    for (offset, value) in [(10, UInt8(200)), (12, 250), (16, 250)] {
      var lying = bytes
      lying[lying.count - 22 + offset + 2] = value
      let archive = try? opened(lying)
      #expect(archive.map { !$0.warnings.isEmpty || $0.entries.count == 3 } ?? true, "\(offset)")
    }
    var wide = builder().archive(isWide: true)
    for index in wide.count - 34..<wide.count - 26 { wide[index] = 0xFF }
    #expect(throws: RecordingError.self) { try opened(wide) }
    #expect(throws: RecordingError.self) { try opened(builder().archive(isWide: true, count: 200_000)) }
    let empty = #expect(throws: RecordingError.self) { try opened(Array("PK\u{3}\u{4}".utf8)) }
    #expect(empty?.problem == "expected an entry of a zip archive, found its end")
  }

  @Test("cannot become a huge one")
  func bomb() throws {
    let zeros = [UInt8](repeating: 0, count: 70 << 20)
    var builder = ZipBuilder()
    let packed = deflated(zeros)
    builder.add("bomb", [], deflated: packed)
    let archive = try opened(builder.archive())
    let entry = try #require(archive.entries.first)
    let reader = try archive.open(entry)
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var count = 0
    let problem = #expect(throws: DecodingProblem.self) {
      while case let read = try reader.read(into: &buffer), read > 0 { count += read }
    }
    #expect(problem?.problem == "bomb: expected at most \(64 << 20) unpacked bytes up to here")
    #expect(count <= 64 << 20)
  }
}
