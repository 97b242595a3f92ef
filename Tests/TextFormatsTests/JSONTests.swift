import TestSupport
import Testing
import TextFormats
@testable import WorkoutTestSupport

private func failure(_ text: String, limits: JSONLimits = .standard) -> JSONError? {
  failure(Array(text.utf8), limits: limits)
}
private func failure(_ bytes: [UInt8], limits: JSONLimits = .standard) -> JSONError? {
  do throws(JSONError) {
    _ = try JSONValue.parse(bytes.span, limits: limits)
    return nil
  } catch {
    return error
  }
}

@Suite("JSON parsing")
struct JSONParserTests {
  @Test("Values keep their members' order, their numbers' text and their places")
  func values() throws {
    let value = try JSONValue.parse(
      "{\"b\":[1, 2.50,-1e3],\n \"a\":{\"x\":null,\"t\":true,\"f\":false},\"s\":\"é\\n\"}")
    #expect(value.members?.map(\.key) == ["b", "a", "s"])
    #expect(value["b"]?.array?.compactMap(\.number?.text) == ["1", "2.50", "-1e3"])
    #expect(value["b"]?.array?.compactMap(\.number?.double) == [1, 2.5, -1000])
    #expect(value["b"]?.array?[2].number?.int64 == -1000)
    #expect(value["b"]?.array?[1].number?.nanoseconds == 2_500_000_000)
    #expect(value["a"]?.position.line == 2)
    #expect(value["a"]?.position.byteOffset == 26)
    #expect(value["a"]?["x"]?.isNull == true)
    #expect(value["a"]?["t"]?.bool == true)
    #expect(value["s"]?.string == "é\n")
    #expect(value["q"] == nil)
  }

  @Test(
    "Escapes become what they stand for",
    arguments: [
      (#""\u0041\u00e9\u20AC\uD83D\uDE00""#, "Aé€😀"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
      (#""\u0000""#, "\0"), (#""""#, ""), ("\"\u{2028}\u{7F}\"", "\u{2028}\u{7F}"),
    ])
  func escapes(text: String, expected: String) throws { #expect(try JSONValue.parse(text).string == expected) }

  @Test(
    "A damaged text is refused with the byte and the line where it is damaged",
    arguments: [
      ("", .endOfText, 0, 1), ("  \n", .endOfText, 3, 2), ("{", .endOfText, 1, 1), ("[1,", .endOfText, 3, 1),
      ("\"abc", .endOfText, 4, 1), ("\"abc\\", .endOfText, 5, 1), ("\"abc\\\"", .endOfText, 6, 1),
      ("tru", .endOfText, 3, 1), ("trux", .unexpectedByte(0x74), 0, 1), ("nul]", .unexpectedByte(0x6E), 0, 1),
      ("{\"a\":1,}", .unexpectedByte(0x7D), 7, 1), ("[1,]", .unexpectedByte(0x5D), 3, 1),
      ("[1 2]", .unexpectedByte(0x32), 3, 1), ("{a:1}", .unexpectedByte(0x61), 1, 1),
      ("{\"a\" 1}", .unexpectedByte(0x31), 5, 1), ("{\"a\":1 \"b\":2}", .unexpectedByte(0x22), 7, 1),
      ("'a'", .unexpectedByte(0x27), 0, 1), ("1 2", .unexpectedByte(0x32), 2, 1),
      ("{}\n}", .unexpectedByte(0x7D), 3, 2),
      ("{} // x", .unexpectedByte(0x2F), 3, 1), ("{\"a\":1,\n\"a\":2}", .duplicateKey("a"), 8, 2),
      ("{\"a\":1,\"\\u0061\":2}", .duplicateKey("a"), 7, 1), ("\"\\uD800\"", .loneSurrogate, 1, 1),
      ("\"x\\uDC00\"", .loneSurrogate, 2, 1), ("\"\\uD800\\u0041\"", .loneSurrogate, 1, 1),
      ("\"\\uD800x\"", .loneSurrogate, 1, 1), ("\"a\nb\"", .controlCharacter(0x0A), 2, 1),
      ("\"\\x\"", .invalidEscape(0x78), 1, 1), ("\"\\u12\"", .invalidEscape(0x75), 1, 1),
      ("\"\\u12G4\"", .invalidEscape(0x75), 1, 1),
      ("01", .zerosInFront, 0, 1), ("-01", .zerosInFront, 0, 1), ("1.", .endOfText, 2, 1),
      (".5", .unexpectedByte(0x2E), 0, 1), ("+1", .unexpectedByte(0x2B), 0, 1), ("-", .endOfText, 1, 1),
      ("1e", .endOfText, 2, 1), ("[1e]", .unexpectedByte(0x5D), 3, 1), ("0x10", .unexpectedByte(0x78), 1, 1),
      ("NaN", .notFinite, 0, 1), ("Infinity", .notFinite, 0, 1), ("-Infinity", .notFinite, 0, 1),
      ("[1e999]", .notFinite, 1, 1), ("\u{FEFF}{}", .unexpectedByte(0xEF), 0, 1),
    ] as [(String, JSONError.Problem, Int, Int)])
  func damage(text: String, problem: JSONError.Problem, byte: Int, line: Int) throws {
    let error = try #require(failure(text))
    #expect(error.problem == problem)
    #expect(error.position.byteOffset == byte)
    #expect(error.position.line == line)
    #expect(error.description.contains("expected "), "\(error)")
  }

  @Test(
    "Every kind of damage is reported by what was expected and what was found",
    arguments: [
      ("{} x", "expected nothing after the value, found \"x\""), ("[1,", "expected a value, found the end of the text"),
      ("{\"a\":1,\"a\":2}", "the key \"a\" is there twice, expected each key once"),
      ("\"\\uD800\"", "expected both halves of a surrogate pair, found one half"),
      ("\"\t\"", "expected an escape such as \\n, found an unescaped control character (byte 0x09)"),
      ("\"\\x\"", "expected one of \", \\, /, b, f, n, r, t and uXXXX after the backslash, found \"x\""),
      ("\"\\u12\"", "after the backslash, found \\u without four hexadecimal digits"),
      ("-01", "expected a number as JSON writes it, found zeros in front"),
      ("NaN", "expected a finite number, found one that is not"),
      ("1e999", "expected a finite number, found one that is not"),
    ])
  func words(text: String, words: String) {
    let description = failure(text)?.description ?? "read"
    #expect(description.contains(words), "\(description)")
  }

  @Test(
    "Bytes that are not UTF-8 are refused where they stand",
    arguments: [[0x80], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF]] as [[UInt8]])
  func invalidUTF8(bytes: [UInt8]) {
    for suffix in [[], Array("\\n".utf8)] {
      let error = failure(Array("[\"ab".utf8) + bytes + suffix + Array("\"]".utf8))
      #expect(error?.problem == .invalidUTF8(bytes[0]))
      #expect(error?.description.contains("expected a string in UTF-8, found byte 0x") == true)
      #expect(error?.position.byteOffset == 4)
      #expect(error?.path.description == "[0]")
    }
  }

  @Test("The path leads to the value that is wrong")
  func paths() {
    #expect(failure(#"{"plan":{"steps":[1,2,{"target":nan}]}}"#)?.path.description == "plan.steps[2].target")
    #expect(failure(#"{"a":{"b":1,"b":2}}"#)?.path.description == "a.b")
    #expect(failure(#"{"a b":[[tru]]}"#)?.path.description == #"["a b"][0][0]"#)
    #expect(
      failure("{\"a\":\n[01]}")?.description
        == "byte 7: line 2: a[0]: expected a number as JSON writes it, found zeros in front")
    #expect(
      failure("{\"a\":]}")?.description == "byte 5: line 1: a: expected a value, found \"]\"")
  }

  @Test("A path is given in a few words, however long the keys and however deep the place")
  func longPaths() {
    let key = String(repeating: "k", count: 5_000)
    let one = failure("{\"\(key)\":{\"a\":tru}}")
    #expect(one?.path.description == String(repeating: "k", count: 40) + "….a")
    let deep = String(repeating: #"{"somewhere \u0007\u0007":"#, count: 60) + "tru"
    let text = failure(deep)?.path.description ?? ""
    #expect(text.hasPrefix("…[\"somewhere "), "\(text)")
    #expect(text.hasSuffix("\"]"), "\(text)")
    #expect(text.utf8.count < 310, "\(text)")
    #expect(failure("{\"\(key)\":1,\"\(key)\":2}").map { $0.description.utf8.count < 500 } == true)
    let accents = "{\"e" + String(repeating: "\u{301}", count: 5_000) + "\":tru}"
    #expect(failure(accents).map { $0.description.utf8.count < 500 } == true)
  }

  @Test("Depth and sizes have limits, and what is at the limit is accepted")
  func limits() {
    func nested(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    #expect(failure(nested(64)) == nil)
    #expect(failure(nested(65))?.problem == .tooDeep)
    #expect(failure(nested(65))?.position.byteOffset == 64)
    #expect(failure(String(repeating: "{\"a\":", count: 100_000))?.problem == .tooDeep)
    let small = JSONLimits(textBytes: 10, tokenBytes: 4, depth: 2)
    #expect(failure("\"abcd\"", limits: small) == nil)
    #expect(failure("\"abcde\"", limits: small)?.problem == .tooLong)
    #expect(failure("12345", limits: small)?.problem == .tooLong)
    #expect(failure("[          ", limits: small)?.problem == .tooLong)
  }

  @Test("A duplicate is found among many members")
  func manyMembers() throws {
    let members = (0..<5_000).map { "\"k\($0)\":\($0)" }
    #expect(failure("{" + members.joined(separator: ",") + "}") == nil)
    for index in [0, 14, 15, 16, 17, 4_999] {
      let text = "{" + (members + ["\"k\(index)\":0"]).joined(separator: ",") + "}"
      #expect(failure(text)?.problem == .duplicateKey("k\(index)"))
    }
  }

  @Test("A text cut anywhere is an error and never a crash")
  func truncation() {
    let text = Array(#"{"a":[1.5e3,true,null,{"b":"x\u00e9\n😀"}],"c":-0.25}"#.utf8)
    for length in text.indices { #expect(failure(Array(text[..<length])) != nil, "\(length) bytes") }
    #expect(failure(text) == nil)
  }

  @Test("Random damage never crashes", arguments: [1, 2, 3] as [UInt64])
  func damagedBytes(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let text = Array(#"{"a":[1.5e3,true,null,{"b":"x\u00e9\uD83D\uDE00\n"}],"c":-0.25,"d":"é"}"#.utf8)
    for _ in 0..<20_000 {
      var damaged = text
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        damaged[Int.random(in: damaged.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      if let error = failure(damaged) {
        #expect((0...damaged.count).contains(error.position.byteOffset), "seed \(seed)")
        #expect(!error.description.isEmpty)
      }
    }
  }
}

@Suite("A JSON text with many values")
struct JSONValueCountTests {
  @Test("is refused at the first one that is too many, with its place")
  func values() {
    let limits = JSONLimits(textBytes: 100, tokenBytes: 10, depth: 4, values: 4)
    #expect(throws: Never.self) { try JSONValue.parse("[0,[1]]", limits: limits) }
    let error = #expect(throws: JSONError.self) { try JSONValue.parse("[0,[1],2]", limits: limits) }
    #expect(error.map { "\($0)" }?.contains("byte 7") == true, "\(error.map { "\($0)" } ?? "no error")")
    #expect(error.map { "\($0)" }?.hasSuffix("too long, expected at most 4 values") == true)
  }
}
