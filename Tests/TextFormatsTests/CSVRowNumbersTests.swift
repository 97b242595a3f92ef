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
      let decimals = (0..<random.int(0...17)).map { _ in String(random.int(0...9)) }.joined()
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
      "-179.999999999999", "9999999.99999999", "0.00000000000001", "1234567.12345678", "-47.1234567890123",
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

  @Test("A number that could be in thousands makes a row not simple where its column refuses it, and no other does")
  func digitGroups() {
    for text in ["1.234", "12.345", "-123.456", "999.999", "1.000"] {
      for line in [text, text + "\n", text + ";1;2;3;4;5;6;7;8;9;10\n"] {
        var row = CSVRow(delimiter: .semicolon)
        row.prepare(
          [.number(slot: 27, refusing: .points)] + (line.contains(";") ? Array(repeating: .nothing, count: 10) : []))
        #expect(row.readNumbers(line.utf8.span, from: 0) == nil, "\(line)")
        row.prepare(
          [.number(slot: 27, refusing: .commas)] + (line.contains(";") ? Array(repeating: .nothing, count: 10) : []))
        #expect(row.readNumbers(line.utf8.span, from: 0) == line.utf8.count, "\(line)")
        #expect(row.numbers[27] == Double(text), "\(line)")
      }
    }
    for text in ["0.234", "1234.567", "1.23", "1.2345", "1", "123456", "-0.001", ".234", "12,5", "1,234"] {
      var row = CSVRow(delimiter: .semicolon)
      row.prepare([.number(slot: 0, refusing: .points)])
      #expect(row.readNumbers("\(text)\n".utf8.span, from: 0) == text.utf8.count + 1, "\(text)")
      #expect(row.numbers[0] == Double(text.replacing(",", with: ".")), "\(text)")
    }
    var row = CSVRow(delimiter: .semicolon)
    row.prepare([.number(slot: 0, refusing: .commas)])
    #expect(row.readNumbers("1,234\n".utf8.span, from: 0) == nil)
    #expect(row.readNumbers("1,23\n".utf8.span, from: 0) == 5)
    row.allowsDecimalComma = false
    #expect(row.readNumbers("1,23\n".utf8.span, from: 0) == nil)
  }

  @Test("Empty fields at the end of a row are dropped down to a count")
  func emptyEnd() throws {
    var row = CSVRow(delimiter: .comma)
    try row.split("1,2,,\"\",".utf8.span)
    row.dropEmptyEnd(after: 2)
    #expect(row.count == 2)
    try row.split("1,,,3".utf8.span)
    row.dropEmptyEnd(after: 2)
    #expect(row.count == 4)
    try row.split(",,".utf8.span)
    row.dropEmptyEnd(after: 0)
    #expect(row.count == 0)
  }
}
