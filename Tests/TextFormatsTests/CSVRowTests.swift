import TestSupport
import Testing
import TextFormats

private func fields(_ line: String, _ delimiter: CSVDelimiter = .comma) throws -> [String] {
  var row = CSVRow(delimiter: delimiter)
  try row.split(line.utf8.span)
  return (0..<row.count).map { row.string($0, in: line.utf8.span) }
}

private func value<Value>(
  _ field: String, _ delimiter: CSVDelimiter = .comma, _ read: (CSVRow, Span<UInt8>) -> Value?
) throws -> Value? {
  var row = CSVRow(delimiter: delimiter)
  try row.split(field.utf8.span)
  return read(row, field.utf8.span)
}

@Suite("CSV rows")
struct CSVRowTests {
  @Test("Fields stand between delimiters, without the spaces around them")
  func plain() throws {
    #expect(try fields("a,b,c") == ["a", "b", "c"])
    #expect(try fields("") == [""])
    #expect(try fields(",") == ["", ""])
    #expect(try fields(" a b ,\t, c") == ["a b", "", "c"])
    #expect(try fields("a;b,c;d", .semicolon) == ["a", "b,c", "d"])
    #expect(try fields("a\t\t b ", .tab) == ["a", "", "b"])
    #expect(try fields("2026-11-20T07:00:00Z,0,142") == ["2026-11-20T07:00:00Z", "0", "142"])
    #expect(
      try fields("abcdefgh,abcdefg,abcdefghi,,,,,,,,x") == [
        "abcdefgh", "abcdefg", "abcdefghi", "", "", "", "", "", "", "", "x",
      ])
  }

  @Test("A field in quotes may have delimiters and doubled quotes in it")
  func quoted() throws {
    #expect(try fields(#""a,b",c"#) == ["a,b", "c"])
    #expect(try fields(#""a ""b"" c","d""#) == [#"a "b" c"#, "d"])
    #expect(try fields(#""""""#) == [#"""#])
    #expect(try fields(#"",""#) == [","])
    #expect(try fields(#"",x,""#) == [",x,"])
    #expect(try fields(#""",x,"""#) == ["", "x", ""])
    #expect(try fields(#"  "a"  , b"c ,"""#) == ["a", #"b"c"#, ""])
    #expect(try fields(#""x","#) == ["x", ""])
  }

  @Test("Wrong quotes are errors with the column")
  func wrongQuotes() {
    #expect(throws: CSVRowError.openQuote(column: 2)) { try fields(#"a,"b"#) }
    #expect(throws: CSVRowError.openQuote(column: 1)) { try fields(#"""#) }
    #expect(throws: CSVRowError.openQuote(column: 1)) { try fields(#""a"""#) }
    #expect(throws: CSVRowError.textAfterQuote(column: 1)) { try fields(#""a"b,c"#) }
    #expect(CSVRowError.columnCount(expected: 2, found: 1).description == "expected 2 columns, found 1")
  }

  @Test("The number of columns is checked")
  func columns() throws {
    var row = CSVRow(delimiter: .comma)
    try row.split("a,b".utf8.span)
    try row.require(columns: 2)
    let error = #expect(throws: CSVRowError.self) { try row.require(columns: 3) }
    #expect(error == .columnCount(expected: 3, found: 2))
  }

  @Test("The delimiter is the one the header has most of, outside of quotes")
  func detection() {
    func detect(_ header: String) -> CSVDelimiter { CSVDelimiter.detect(header: header.utf8.span) }
    #expect(detect("time,at_s,heart_rate_bpm") == .comma)
    #expect(detect("time;at_s;heart_rate_bpm") == .semicolon)
    #expect(detect("time\tat_s\theart_rate_bpm") == .tab)
    #expect(detect("\"a,b,c\";d") == .semicolon)
    #expect(detect("time") == .comma)
    #expect(detect("") == .comma)
    #expect(detect("a;b,c") == .comma)
  }

  @Test(
    "What says that there is no value is missing",
    arguments: [
      "", "  ", "N/A", "n/a", "NA", "na", "NaN", "nan", "null", "NULL", "-", "None", "none", "\"\"", "\"N/A\"",
    ])
  func missing(field: String) throws {
    #expect(try value(field) { row, line in row.isMissing(0, in: line) } == true)
    #expect(try value(field) { row, line in row.double(0, in: line) } == nil)
  }

  @Test("Everything else is not missing", arguments: ["0", "--", "x", "n-a", "nil", "nullx", "-1", "no", "N\u{0F}A"])
  func present(field: String) throws {
    #expect(try value(field) { row, line in row.isMissing(0, in: line) } == false)
  }

  @Test("Numbers, seconds and times are read from a field")
  func values() throws {
    #expect(try value(" 142.5 ") { $0.double(0, in: $1) } == 142.5)
    #expect(try value("\"142\"") { $0.int64(0, in: $1) } == 142)
    #expect(try value("0.000000001") { $0.nanosecondsFromSeconds(0, in: $1) } == 1)
    #expect(try value("2026-11-20 07:00:00 +0000") { $0.time(0, in: $1) }?.time.description == "2026-11-20T07:00:00Z")
    #expect(try value("x") { $0.double(0, in: $1) } == nil)
    #expect(try value("inf") { $0.double(0, in: $1) } == nil)
  }

  @Test("A decimal comma is read when fields are divided by semicolons")
  func decimalComma() throws {
    #expect(try value("1,5", .semicolon) { $0.double(0, in: $1) } == 1.5)
    #expect(try value("1.5", .semicolon) { $0.double(0, in: $1) } == 1.5)
    #expect(try value("1.000,5", .semicolon) { $0.double(0, in: $1) } == nil)
    #expect(try value("1,5", .tab) { $0.double(0, in: $1) } == nil)
  }

  @Test("Random rows without quotes are split as the standard library splits them", arguments: [4, 5] as [UInt64])
  func plainAgreement(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    // The neighbours of the delimiter and of its byte with the top bit are the ones a wide comparison could mistake.
    let pieces = [",", ",", "-", "+", "¬", "1", "é", "\u{AC}", "abc"]
    for _ in 0..<5_000 {
      let line = (0..<Int.random(in: 0...40, using: &generator)).compactMap { _ in
        pieces.randomElement(using: &generator)
      }.joined()
      let expected = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      #expect(try fields(line) == expected, "seed \(seed): \(line)")
    }
  }

  @Test("Random rows survive being quoted and split", arguments: [1, 2, 3] as [UInt64])
  func roundTrip(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let pieces = ["a", "\"", ",", ";", "\t", "é", "1.5", "x y"]
    for _ in 0..<2_000 {
      let expected = (0..<Int.random(in: 1...9, using: &generator)).map { _ in
        (0..<Int.random(in: 0...6, using: &generator)).compactMap { _ in pieces.randomElement(using: &generator) }
          .joined()
      }
      let delimiter = CSVDelimiter.allCases.randomElement(using: &generator) ?? .comma
      let line = expected.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }
        .joined(separator: String(Unicode.Scalar(delimiter.rawValue)))
      #expect(try fields(line, delimiter) == expected, "seed \(seed): \(line)")
    }
  }
}
