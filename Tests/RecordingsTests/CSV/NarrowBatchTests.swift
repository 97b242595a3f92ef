import TestSupport
import Testing
import TextFormats
@testable import Recordings

/// A reader of rows with these columns; `nil` where the processor reads none at once.
private func reader(_ columns: [CSVRow.Use], _ delimiter: CSVDelimiter = .comma) -> NarrowTable? {
  NarrowTable(columns, delimiter: delimiter)
}

private let heartRate = CSVRow.Use.number(slot: CSVSlot.heartRate)
private let speed = CSVRow.Use.number(slot: CSVSlot.speed)

private let readsSeveral = reader([.time, heartRate, speed]) != nil

private func digits(_ random: inout SplitMix64, _ range: ClosedRange<Int>) -> String {
  (0..<random.int(range)).map { _ in String(random.int(0...9)) }.joined()
}

/// A number of so many digits, with a point before, among or behind them, or none.
private func number(_ random: inout SplitMix64, _ most: Int) -> String {
  let all = digits(&random, 1...most)
  guard random.chance(0.6) else { return all }
  let place = all.index(all.startIndex, offsetBy: random.int(max(0, all.count - 9)...all.count))
  return all[..<place] + "." + all[place...]
}

/// What bytes stand behind the rows, so that the last of them can be read.
private let rest = String(repeating: "x", count: 40)

@Suite("Rows of plain numbers that are read at once", .enabled(if: readsSeveral, "for processors with AVX2"))
struct NarrowBatchTests {
  @Test("have the numbers that stand in them, in every shape", arguments: 1...200 as ClosedRange<UInt64>)
  func numbers(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let delimiter = random.pick(CSVDelimiter.allCases)
    let table = try #require(reader([.time, heartRate, speed], delimiter))
    var batch = NarrowBatch(table)
    var rows: [[String]] = []
    while rows.count < 60 {
      let row = [random.pick(["", "1"]) + number(&random, 9), number(&random, 8), number(&random, 8)]
      if row.map(\.count).reduce(2, +) <= 30 { rows.append(row) }
    }
    let lines = rows.map {
      $0.joined(separator: String(UnicodeScalar(delimiter.rawValue))) + random.pick(["\n", "\r\n"])
    }
    let text = Array((lines.joined() + rest).utf8)
    #expect(batch.read(text.span, from: 0) == rows.count, "seed \(seed)")
    var end = 0
    for (index, row) in rows.enumerated() {
      end += lines[index].utf8.count
      #expect(batch.times[index] == DecimalText.exactNanoseconds(from: Array(row[0].utf8).span), "\(row)")
      #expect(batch.heartRates[index] == Double(row[1].hasSuffix(".") ? row[1] + "0" : row[1]), "\(row)")
      #expect(batch.speeds[index] == Double(row[2].hasSuffix(".") ? row[2] + "0" : row[2]), "\(row)")
      #expect(batch.ends[index] == end)
    }
  }

  @Test(
    "end before one that has to be read otherwise",
    arguments: [
      "13,,3.5", "13,120", "13,120,3.5,7", "13,-120,3.5", "13,+120,3.5", "13,1.2.3,3.5", "13,.,3.5", " 13,120,3.5",
      "13,120,3.5 ",
      "13,120,\"3.5\"", "13,120,1e2", "13,123456789,3.5", "1234567890123456,120,3.5", "9223372037,120,3.5",
      "13.1234567890,120,3.5", "13;120;3.5", "13,120\r,3.5", "13,120,3.5\r\r", "", "1234567890123,1234567.8,12345.67",
      "13,12:0,3.5",
      "13,12/0,3.5",
    ])
  func others(odd: String) throws {
    let table = try #require(reader([.time, heartRate, speed]))
    var batch = NarrowBatch(table)
    let text = Array(("11,120,3.5\n12,120,3.5\n" + odd + "\n14,120,3.5\n" + rest).utf8)
    #expect(batch.read(text.span, from: 0) == 2)
    #expect(batch.read(text.span, from: 22) == 0)
  }

  @Test("end within 32 bytes, of a text that goes on for as many")
  func room() throws {
    let table = try #require(reader([.time, heartRate, speed]))
    var batch = NarrowBatch(table)
    let longest = "1234567890.12345,12345678,123.4"
    #expect(longest.utf8.count == 31)
    #expect(batch.read(Array((longest + "\n").utf8).span, from: 0) == 1)
    #expect(batch.times[0] == 1_234_567_890_123_450_000)
    #expect(batch.read(Array(("1" + longest + "\n").utf8).span, from: 1) == 1)
    #expect(batch.read(Array((longest + "5\n").utf8).span, from: 0) == 0)
    #expect(batch.read(Array("11,120,3.5\n".utf8).span, from: 0) == 0)
    #expect(batch.read([UInt8]().span, from: 0) == 0)
  }

  @Test("come 128 at once, of one column besides the time as well, in any order")
  func columns() throws {
    let most = NarrowBatch.largestCount
    let lines = (0..<300).map { "\(100 + $0 % 50),\($0).5\n" }.joined()
    var batch = NarrowBatch(try #require(reader([heartRate, .time])))
    let text = Array((lines + rest).utf8)
    #expect(batch.read(text.span, from: 0) == most)
    #expect(batch.heartRates[..<most].elementsEqual((0..<most).map { Double(100 + $0 % 50) }))
    #expect(batch.times[..<most].elementsEqual((0..<most).map { Int64($0) * 1_000_000_000 + 500_000_000 }))
    #expect(!batch.speeds[..<most].contains { !$0.isNaN })
  }

  @Test("are of tables without other columns, and whose numbers are not written in groups")
  func tables() {
    #expect(reader([.time]) != nil)
    #expect(reader([heartRate, speed]) == nil)
    #expect(reader([.time, heartRate, .nothing]) == nil)
    #expect(reader([.time, heartRate, .text]) == nil)
    #expect(reader([.time, heartRate, speed, .nothing]) == nil)
    #expect(reader([.time, .number(slot: CSVSlot.speed, refusing: .points)]) == nil)
    #expect(reader([.time, .number(slot: CSVSlot.steps)]) == nil)
  }
}
