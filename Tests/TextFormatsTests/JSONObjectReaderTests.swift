import Testing
import TextFormats
@testable import WorkoutTestSupport

private struct Step: Equatable {
  var seconds: Int64
  var target: String?
}

private let step = JSONField<Step>.object { reader throws(JSONError) in
  Step(
    seconds: try reader.required("durationSeconds", .nanosecondsFromSeconds(in: 1...3600)),
    target: try reader.optional("target", .string))
}

private func read<Value>(_ text: String, _ field: JSONField<Value>) -> Result<Value, JSONError> {
  do throws(JSONError) {
    return .success(try field.read(try JSONValue.parse(text)))
  } catch {
    return .failure(error)
  }
}

private func message<Value>(_ text: String, _ field: JSONField<Value>) -> String {
  switch read(text, field) {
  case .success: "no error"
  case .failure(let error): error.description
  }
}

@Suite("Strict reading of JSON objects")
struct JSONObjectReaderTests {
  @Test("A document that is as it should be is read")
  func reading() throws {
    let text = #"{"name":"x","age":23,"steps":[{"durationSeconds":60.5},{"durationSeconds":1,"target":"z2"}]}"#
    var reader = try JSONObjectReader(try JSONValue.parse(text))
    #expect(try reader.required("name", .string) == "x")
    #expect(try reader.optional("age", .int(in: 5...110)) == 23)
    #expect(try reader.optional("weight", .double) == nil)
    let steps = try reader.required("steps", .array(of: step, count: 1...9))
    #expect(steps == [Step(seconds: 60_500_000_000), Step(seconds: 1_000_000_000, target: "z2")])
    try reader.finish()
  }

  @Test("Every error names the place and what was expected")
  func errors() {
    let steps = JSONField<[Step]>.array(of: step, count: 1...2)
    #expect(message("[]", steps) == "byte 0: line 1: expected an array with 1…2 elements, found 0")
    #expect(message("{}", steps) == "byte 0: line 1: expected an array with 1…2 elements, found an object")
    #expect(message("[1]", steps) == "byte 1: line 1: [0]: expected an object, found a number")
    #expect(
      message("[{}]", steps)
        == "byte 1: line 1: [0].durationSeconds: missing, expected seconds in 1…3600")
    #expect(
      message(#"[{"durationSeconds":0.5}]"#, steps)
        == "byte 20: line 1: [0].durationSeconds: expected seconds in 1…3600, found 0.5")
    #expect(
      message(#"[{"durationSeconds":5,"target":null}]"#, steps)
        == "byte 31: line 1: [0].target: expected a string, found null")
    #expect(
      message("[{\"durationSeconds\":5,\n\"taget\":\"z2\"}]", steps)
        == "byte 23: line 2: [0].taget: unknown key, expected \"target\"; did you mean \"target\"?")
    #expect(
      message(#"[{"durationSeconds":5,"colour":"z2"}]"#, steps)
        == "byte 22: line 1: [0].colour: unknown key, expected \"target\"")
  }

  @Test("Fields refuse what is out of their range")
  func ranges() {
    let refused: [String] = [
      message("5.5", .int), message("1e30", .int), message("4", .int(in: 5...6)), message("\"5\"", .int),
      message("7", .int(in: 5...6)), message("1.01", .double(in: 0...1)), message("1", .bool),
      message("\"\"", .nonEmptyString),
      message("\"c\"", JSONField<Int>.word(["a": 1, "b": 2])), message("\"2026-02-30\"", .date),
      message("\"2026-02-20\"", .time), message("1e10", .nanosecondsFromSeconds(in: 0...Int64.max)),
    ]
    for text in refused { #expect(text.contains("expected"), "\(text)") }
    #expect(message("\"c\"", JSONField<Int>.word(["a": 1, "b": 2])).hasSuffix(#"expected one of "a", "b", found "c""#))
    #expect(message("1.01", .double(in: 0...1)).hasSuffix("expected a number in 0…1, found 1.01"))
    #expect((try? read("\"b\"", JSONField<Int>.word(["a": 1, "b": 2])).get()) == 2)
    #expect((try? read("5.0", .int(in: 5...6)).get()) == 5)
    #expect((try? read("\"2026-11-20T07:00:00Z\"", .time).get())?.utcOffsetSeconds == 0)
    #expect((try? read("\"1990-05-17\"", .date).get())?.year == 1990)
  }

  @Test("A mapped field says what it expected")
  func mapped() {
    let even = JSONField<Int>.int.mapped(to: "an even number") { $0 % 2 == 0 ? $0 / 2 : nil }
    #expect((try? read("8", even).get()) == 4)
    #expect(message("7", even).hasSuffix("expected an even number, found 7"))
  }

  @Test("A member asked for twice or ignored is known, one that is only looked for is not")
  func asking() throws {
    var reader = try JSONObjectReader(try JSONValue.parse(#"{"a":1,"b":2,"c":3}"#))
    #expect(try reader.required("a", .int) == 1)
    #expect(try reader.required("a", .double) == 1)
    reader.ignore("b")
    #expect(reader.has("c"))
    let error = #expect(throws: JSONError.self) { try reader.finish() }
    #expect(error?.path.description == "c")
    #expect(error?.problem == .unknownKey(suggestion: nil))
  }

  @Test(
    "Close spellings are found, far ones are not",
    arguments: [
      ("taget", "target"), ("Target", "target"), ("tagret", "target"), ("strateg", "strategy"), ("xyz", nil),
      ("tar", "target"), ("ab", nil), ("aeg", "age"), ("", nil),
    ] as [(String, String?)])
  func spelling(word: String, expected: String?) {
    #expect(Spelling.closest(to: word, among: ["target", "strategy", "age"]) == expected)
  }
}
