@testable import Recordings
import TestSupport
import Testing
@testable import WorkoutTestSupport

@Suite("Headers, checksums and files in a row")
struct FITFramingTests {
  @Test(
    "headers of 12 and 14 bytes are read, a wrong checksum of one is a warning", arguments: FITBuilder.Header.allCases)
  func headers(header: FITBuilder.Header) {
    let reading = FITReading(FIT.records([100, 101, 102]).file(header))
    #expect(reading.heartRates == [100, 101, 102])
    #expect(reading.warnings == (header == .longWithWrongChecksum ? ["wrongChecksum byte 12"] : []))
  }

  @Test("a wrong checksum of the file is a warning")
  func fileChecksum() {
    let builder = FIT.records([100, 101, 102])
    let reading = FITReading(builder.file(checksum: 0x1234))
    #expect(reading.heartRates == [100, 101, 102])
    #expect(reading.warnings == ["wrongChecksum byte \(14 + builder.data.count)"])
  }

  @Test("files in a row are all read, each its own activity with its own definitions")
  func chained() {
    let first = FIT.records([100, 101]).file()
    let second = FIT.records([102], from: FIT.start + 100).file(.short)
    let reading = FITReading(first + second + first)
    #expect(reading.heartRates == [100, 101, 102, 100, 101])
    #expect(reading.emitted.filter { $0.hasPrefix("activity") }.count == 3)
    #expect(reading.emitted.filter { $0.hasPrefix("clock") }.count == 1)
    #expect(reading.warnings == [])
  }

  @Test("a definition is good for its own file only")
  func definitionsEnd() {
    var second = FITBuilder()
    second.raw([0x00, 1, 2, 3, 4, 100])
    let reading = FITReading(FIT.records([100]).file() + second.file())
    #expect(reading.heartRates == [100])
    #expect(reading.warnings.map { $0.prefix(15) } == ["unreadableBytes"])
  }

  @Test("an empty file between others is nothing")
  func emptyFile() {
    for header in FITBuilder.Header.allCases where header != .longWithWrongChecksum {
      let reading = FITReading(FITBuilder().file(header) + FIT.records([100]).file())
      #expect(reading.heartRates == [100])
      #expect(reading.warnings == [])
    }
  }

  @Test("bytes behind the file are a warning, and a further file behind them is read")
  func trailing() {
    let file = FIT.records([100]).file()
    #expect(FITReading(file + [0, 0, 0]).warnings == ["unreadableBytes byte \(file.count)"])
    let reading = FITReading(file + [UInt8](repeating: 0, count: 40) + file)
    #expect(reading.heartRates == [100, 100])
    #expect(reading.warnings == ["unreadableBytes byte \(file.count)"])
  }

  @Test("the messages are read where the header states a wrong size", arguments: FITBuilder.Header.allCases)
  func wrongSize(header: FITBuilder.Header) {
    let builder = FIT.records([100, 101, 102, 103])
    let definition = 6 + 6
    for size in [0, definition + 6, definition + 12, builder.data.count + 100, 0x7FFF_FFFF] {
      let reading = FITReading(builder.file(header, dataSize: size))
      #expect(reading.heartRates == [100, 101, 102, 103], "\(header) with size \(size)")
    }
  }

  @Test("nothing, a short piece and another format are problems that say what was expected")
  func noFIT() {
    #expect(FITReading([]).problem?.description == "byte 0: empty: expected the header of a FIT file")
    #expect(FITReading([14, 0x20, 1]).problem?.position == "byte 3")
    let text = Array("<?xml version=\"1.0\"?><gpx>".utf8)
    #expect(FITReading(text).problem?.description == "byte 8: not a FIT file: expected .FIT")
    #expect(FITReading(text, pieces: 1).problem == FITReading(text).problem)
    #expect(FITReading([3, 0x10, 0, 0, 0, 0, 0, 0] + Array(".FIT".utf8)).problem?.position == "byte 0")
  }
}
