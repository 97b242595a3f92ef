import TestSupport
import Testing
import TextFormats
@testable import WorkoutTestSupport

private let uses: [CSVRow.Use] = [.time, .number(slot: 0), .nothing, .number(slot: 1), .text]

private func row() -> CSVRow {
  var row = CSVRow(delimiter: .comma)
  row.prepare(uses)
  return row
}

private func bits(_ row: CSVRow) -> [UInt64] { [row.numbers[0].bitPattern, row.numbers[1].bitPattern] }

private func field(_ random: inout SplitMix64) -> String {
  func digits(_ range: ClosedRange<Int>) -> String {
    (0..<random.int(range)).map { _ in String(random.int(0...9)) }.joined()
  }
  switch random.int(0...9) {
  case 0: return random.pick(["", "N/A", "x", "1e2", "1 ", " 1", "\"1\"", "1\r", "é", "-", "-0", ".", "1.2.3"])
  case 1: return digits(7...20)
  case 2: return digits(0...10) + "." + digits(0...17)
  default: return (random.chance(0.5) ? "-" : "") + digits(1...4) + "." + digits(0...9)
  }
}

@Suite("Rows read in one go")
struct CSVRowNumbersTests {
  @Test("A row inside of a text is read as it is alone, whatever follows it", arguments: 1...20 as ClosedRange<UInt64>)
  func insideOfText(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var text: [UInt8] = []
    var lines: [(start: Int, line: [UInt8])] = []
    for _ in 0..<60 {
      let count = random.chance(0.1) ? random.int(1...7) : uses.count
      var line = Array((0..<count).map { _ in field(&random) }.joined(separator: ",").utf8)
      // One that ends a line belongs to its end.
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      lines.append((text.count, line))
      text += line + Array(random.pick(["\n", "\r\n"]).utf8)
    }
    var (inside, alone) = (row(), row())
    for (index, (start, line)) in lines.enumerated() {
      let next = inside.readNumbers(text.span, from: start)
      let isSimple = alone.readNumbers(line.span)
      #expect((next != nil) == isSimple, "seed \(seed), row \(index)")
      guard let next, isSimple else { continue }
      #expect(next == (index + 1 < lines.count ? lines[index + 1].start : text.count), "seed \(seed), row \(index)")
      #expect(bits(inside) == bits(alone), "seed \(seed), row \(index)")
      let places = [inside.range(of: 4).lowerBound - start, inside.range(of: 4).upperBound - start]
      #expect(places == [alone.range(of: 4).lowerBound, alone.range(of: 4).upperBound], "seed \(seed), row \(index)")
    }
  }

  @Test(
    "A number is the same where much follows it as at the end of a text, whatever it is",
    arguments: 1...20 as ClosedRange<UInt64>)
  func muchBehind(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let use: CSVRow.Use = random.chance(0.3) ? .time : .number(slot: 0)
      let whole = (0..<random.int(0...10)).map { _ in String(random.int(0...9)) }.joined()
      let decimals = (0..<random.int(0...10)).map { _ in String(random.int(0...9)) }.joined()
      let number = random.pick(["", "-", "-", "+"]) + whole + random.pick(["", ".", ".", "."]) + decimals
      let text = random.chance(0.8) ? number : field(&random)
      let end = random.pick(["\n", "\r\n", ","])
      var (alone, followed) = (CSVRow(delimiter: .comma), CSVRow(delimiter: .comma))
      alone.prepare([use])
      followed.prepare([use])
      let short = alone.readNumbers((text + end).utf8.span, from: 0)
      let long = followed.readNumbers((text + end + String(repeating: "7", count: 40)).utf8.span, from: 0)
      #expect(short == long, "seed \(seed), \(text)")
      #expect(alone.numbers[0].bitPattern == followed.numbers[0].bitPattern, "seed \(seed), \(text)")
      #expect(alone.plainTime?.nanoseconds == followed.plainTime?.nanoseconds, "seed \(seed), \(text)")
    }
  }

  @Test("A row that is too short does not go on in the next line, and one that is too long is none")
  func anotherNumberOfColumns() {
    var row = row()
    #expect(row.readNumbers("0,1,a,2,b\n".utf8.span, from: 0) == 10)
    #expect(row.readNumbers("0,1,a\n2,b,3,c,5\n".utf8.span, from: 0) == nil)
    #expect(row.readNumbers("0,1,\n2,b,3,c\n".utf8.span, from: 0) == nil)
    #expect(row.readNumbers("0,1,a,2,b,3\n".utf8.span, from: 0) == nil)
    #expect(row.readNumbers("\n0,1,a,2,b\n".utf8.span, from: 0) == nil)
    #expect(row.readNumbers("0,1,a,2,b".utf8.span, from: 0) == 9)
  }

  @Test("Numbers are the nearest doubles with their sign, also at the very end of a text")
  func nearest() {
    for written in [
      "-0", "0", "-0.5", "163", "2.85", "-3.12345678", "47.000000250", "1770000000", "99999999", "1000000",
    ] {
      for text in [written, "\(written)\n", "\(written)\n1,2,3,4,5,6,7,8,9\n"] {
        var row = CSVRow(delimiter: .comma)
        row.prepare([.number(slot: 3)])
        #expect(row.readNumbers(text.utf8.span, from: 0) == min(text.utf8.count, written.utf8.count + 1), "\(text)")
        #expect(row.numbers[3].bitPattern == Double(written)?.bitPattern, "\(text)")
      }
    }
  }

  @Test("Values beyond the largest magnitude are none")
  func largest() {
    var row = CSVRow(delimiter: .comma)
    row.prepare([.number(slot: 0)])
    #expect(row.readNumbers("1000000000000000\n".utf8.span, from: 0) == 17)
    #expect(row.readNumbers("1000000000000001\n".utf8.span, from: 0) == nil)
    #expect(row.readNumbers("-1000000000000001\n".utf8.span, from: 0) == nil)
    #expect(row.readNumbers("100000000000000.1\n".utf8.span, from: 0) == 18)
    #expect(row.numbers[0] == 100_000_000_000_000.1)
  }
}
