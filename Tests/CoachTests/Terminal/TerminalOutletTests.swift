import Foundation
import Testing
import TextFormats
@testable import coach

@Suite("Writing to a terminal that may take nothing")
struct TerminalOutletTests {
  /// A pipe in place of a terminal: it takes a page while nobody reads.
  private struct SmallPipe {
    private let pipe = Pipe()

    init() {
      // F_SETPIPE_SZ of Linux, which the C library shows to programs for GNU alone.
      let setPipeSize: Int32 = 1_031
      _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, setPipeSize, 4_096)
    }

    func outlet(patience: Int64 = 0) -> TerminalOutlet {
      TerminalOutlet(
        descriptor: pipe.fileHandleForWriting.fileDescriptor, named: "standard output", patience: patience)
    }

    /// So many bytes that were written.
    func read(_ count: Int) throws -> [UInt8] {
      var bytes: [UInt8] = []
      while bytes.count < count {
        bytes += try #require(try pipe.fileHandleForReading.read(upToCount: count - bytes.count))
      }
      return bytes
    }
  }

  private static func piece(_ index: Int) -> [UInt8] { [UInt8](repeating: UInt8(index), count: 1_024) }

  @Test("Everything comes in order, and nobody waits for it")
  func order() throws {
    let pipe = SmallPipe()
    let outlet = pipe.outlet(patience: .max)
    for index in 0..<40 {
      let isTaken = try outlet.take(Self.piece(index).span)
      #expect(isTaken)
    }
    #expect(outlet.isBehind)
    #expect(try pipe.read(40 * 1_024) == (0..<40).flatMap(Self.piece))
    #expect(outlet.drain())
    #expect(!outlet.isBehind)
  }

  @Test("What has no room is dropped as a whole, and what comes once there is some again is taken")
  func dropped() async throws {
    let pipe = SmallPipe()
    let outlet = pipe.outlet()
    var taken: [Int] = []
    for index in 0..<100 {
      let isTaken = try outlet.take(Self.piece(index).span)
      if isTaken { taken.append(index) }
    }
    #expect((64..<70).contains(taken.count), "64 KiB and what the pipe holds: \(taken.count)")
    #expect(!outlet.drain(), "it is given up")
    #expect(!outlet.drain(), "and not waited for again")
    #expect(try pipe.read(taken.count * 1_024) == taken.flatMap(Self.piece))
    try await expectEventually("nothing waits") { !outlet.isBehind && outlet.drain() }
    let isTaken = try outlet.take(Self.piece(7).span)
    #expect(isTaken)
    #expect(try pipe.read(1_024) == Self.piece(7))
  }

  @Test("One long result is taken whole")
  func long() async throws {
    let pipe = SmallPipe()
    let outlet = pipe.outlet()
    let result = (0..<200).flatMap(Self.piece)
    let isTaken = try outlet.take(result.span)
    #expect(isTaken)
    #expect(try pipe.read(result.count) == result)
    try await expectEventually("it is written") { outlet.drain() }
    #expect(!outlet.isBehind)
  }

  @Test("A terminal that is gone is an error from then on, and is waited for no longer")
  func gone() throws {
    let full = try FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/full"))
    let outlet = TerminalOutlet(
      descriptor: full.fileDescriptor, named: "standard output", patience: .max)
    let isTaken = try outlet.take(Self.piece(0).span)
    #expect(isTaken)
    #expect(outlet.drain())
    #expect(throws: FileError(.write, "standard output", code: ENOSPC)) { try outlet.take(Self.piece(1).span) }
    #expect(!outlet.isBehind)
  }
}
