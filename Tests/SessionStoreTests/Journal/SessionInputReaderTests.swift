import Glibc
@testable import SessionStore
import Testing
import TextFormats
import WorkoutSession
@testable import WorkoutTestSupport

@Suite("What was taken of a live session, read from its file")
struct SessionInputReaderTests {
  private func lines(_ number: Int, bytes count: Int) -> SessionInput {
    SessionInput(
      .lines(Array(repeating: UInt8(ascii: "a"), count: count), LiveFeed(source: number), batch: 0, nextLine: nil),
      arrival: WallClockTime(nanoseconds: Int64(number)), timeBefore: nil)
  }

  private func read(_ bytes: [UInt8], pieceBytes: Int, in folder: ScratchFolder) throws -> [[SessionInput]] {
    let path = StoredPath(folder: folder.path) + "/" + SessionFolder.inputs
    try FileSystem.writeAtomically(bytes.span, to: path)
    var reader = try SessionInputReader(path, pieceBytes: pieceBytes)
    var pieces: [[SessionInput]] = []
    while case let piece = try reader.next(), !piece.isEmpty { pieces.append(piece) }
    #expect(try reader.next().isEmpty)
    return pieces
  }

  @Test("In pieces there is the same as at once, wherever the file is cut off", arguments: [4, 21, 40, 100, 1_000])
  func pieces(pieceBytes: Int) throws {
    let folder = try ScratchFolder()
    var bytes: [UInt8] = []
    for (number, count) in [3, 0, 150, 7, 20].enumerated() { lines(number, bytes: count).append(to: &bytes) }
    for count in 0...bytes.count {
      let cut = Array(bytes[..<count])
      var expected: [SessionInput] = []
      SessionInput.forEach(of: cut.span) { expected.append($0) }
      #expect(
        try read(cut, pieceBytes: pieceBytes, in: folder).flatMap(\.self) == expected, "\(count) bytes")
    }
  }

  @Test("A piece has no more than it may, but for an input that is larger")
  func bounded() throws {
    let folder = try ScratchFolder()
    var bytes: [UInt8] = []
    for number in 0..<1_000 { lines(number, bytes: 20).append(to: &bytes) }
    let pieces = try read(bytes, pieceBytes: 1_000, in: folder)
    #expect(pieces.count >= bytes.count / 1_000)
    #expect(pieces.allSatisfy { $0.count <= 1_000 / 57 })
    #expect(pieces.flatMap(\.self).count == 1_000)
    lines(1, bytes: 5_000).append(to: &bytes)
    lines(2, bytes: 5).append(to: &bytes)
    #expect(try read(bytes, pieceBytes: 1_000, in: folder).flatMap(\.self).count == 1_002)
  }

  @Test("Nothing is behind damage, and nothing is waited for that says it is larger than the file")
  func damage() throws {
    let folder = try ScratchFolder()
    var bytes: [UInt8] = []
    for number in 0..<3 { lines(number, bytes: 20).append(to: &bytes) }
    let begin = bytes.count
    lines(3, bytes: 20).append(to: &bytes)
    lines(4, bytes: 20).append(to: &bytes)
    for count in [0, 16, 17, 30, 1_000, UInt32.max] as [UInt32] {
      var damaged = bytes
      damaged.writeLittleEndian(count, at: begin)
      var expected: [SessionInput] = []
      SessionInput.forEach(of: damaged.span) { expected.append($0) }
      #expect(expected.count >= 3)
      for pieceBytes in [4, 64, 10_000] {
        let found = try read(damaged, pieceBytes: pieceBytes, in: folder).flatMap(\.self)
        #expect(found == expected, "\(count), in pieces of \(pieceBytes)")
      }
    }
  }

  @Test("A file that is not there, or that cannot be read, is an error with its path")
  func unreadable() throws {
    let folder = try ScratchFolder()
    let path = StoredPath(folder: folder.path) + "/" + SessionFolder.inputs
    #expect(throws: FileError.self) { try SessionInputReader(path) }
    try FileSystem.createFolder(path)
    #expect(throws: FileError(.openForReading, path.path, code: EISDIR)) { try SessionInputReader(path) }
  }
}
