import TestSupport
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("JSON writing")
struct JSONWriterTests {
  @Test("A record is one line in the order it was given, without what is absent")
  func record() {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", 1)
      writer.member("type", "cue")
      writer.member("atSeconds", secondsFromNanoseconds: 120_500_000_000)
      writer.member("mean", 146.0)
      writer.member("share", 0.25)
      writer.member("absent", nil as Int?)
      writer.member("absentText", nil as String?)
      writer.member("big", Int64.max)
      writer.member("ok", true)
      writer.member("time", WallClockTime(nanoseconds: 0))
      writer.object("evidence") { $0.member("a", "b") }
      writer.object("empty") { _ in }
      writer.array("list") { list in
        list.value(1)
        list.null()
        list.array { _ in }
        list.object { $0.member("x", false) }
      }
    }
    writer.endLine()
    writer.value("next")
    writer.endLine()
    #expect(
      writer.text == """
        {"version":1,"type":"cue","atSeconds":120.5,"mean":146,"share":0.25,"big":9223372036854775807,"ok":true,\
        "time":"1970-01-01T00:00:00Z","evidence":{"a":"b"},"empty":{},"list":[1,null,[],{"x":false}]}
        "next"

        """)
    writer.removeAll()
    writer.value(2)
    #expect(writer.text == "2")
  }

  @Test("Elements that other writers make stand in an array between what its own writer begins and ends")
  func elements() {
    var whole = JSONWriter()
    whole.object { writer in
      writer.member("type", "numbers")
      writer.array("numbers") { list in
        for number in 0..<4 { list.object { $0.member("number", number) } }
      }
    }
    var list = JSONWriter()
    list.beginObject()
    list.member("type", "numbers")
    list.key("numbers")
    list.beginArray()
    var pieces = [list.takeBytes()]
    for half in [0..<2, 2..<2, 2..<4] {
      var elements = JSONWriter.elements(follows: half.lowerBound > 0)
      elements.reserveCapacity(1_000)
      for number in half { elements.object { $0.member("number", number) } }
      pieces.append(elements.bytes)
    }
    list.endArray()
    list.endObject()
    pieces.append(list.bytes)
    #expect(String(decoding: pieces.joined(), as: UTF8.self) == whole.text)
  }

  @Test("Pretty JSON is indented by two spaces")
  func pretty() {
    var writer = JSONWriter(.pretty)
    writer.object { writer in
      writer.member("a", 1)
      writer.array("b") { list in
        list.value(1)
        list.object { $0.member("c", "d") }
      }
      writer.array("e") { _ in }
      writer.object("f") { _ in }
    }
    writer.endLine()
    #expect(
      writer.text == """
        {
          "a": 1,
          "b": [
            1,
            {
              "c": "d"
            }
          ],
          "e": [],
          "f": {}
        }

        """)
  }

  @Test("Strings are escaped where JSON asks for it, and where nothing would be seen")
  func strings() {
    var writer = JSONWriter()
    writer.value("\"\\/\u{8}\t\n\u{C}\r\u{0}\u{1F}\u{7F}é\u{2028}\u{2029}😀")
    #expect(writer.text == #""\"\\/\b\t\n\f\r\u0000\u001f\u007fé\u2028\u2029😀""#)
  }

  @Test(
    "Seconds are exact",
    arguments: [(120, "0.00000012"), (120_000_000_000, "120"), (1, "0.000000001"), (-1, "-0.000000001"), (0, "0")])
  func seconds(nanoseconds: Int64, text: String) {
    var writer = JSONWriter()
    writer.value(secondsFromNanoseconds: nanoseconds)
    #expect(writer.text == text)
  }

  @Test("One character of a string is escaped wherever it stands, whatever stands around it", arguments: 1...20)
  func places(count: Int) {
    for byte in 0...0xFF as ClosedRange<UInt32> {
      for around in ["a", " ", "!", "#", "[", "]", "\u{7F}", "é", "\u{A0}"] as [Unicode.Scalar] {
        for place in 0..<count {
          var scalars = Array(repeating: around, count: count)
          scalars[place] = Unicode.Scalar(UInt8(byte))
          var writer = JSONWriter()
          writer.value(String(String.UnicodeScalarView(scalars)))
          let expected = scalars.map { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\u{08}": "\\b"
            case "\u{09}": "\\t"
            case "\u{0A}": "\\n"
            case "\u{0C}": "\\f"
            case "\u{0D}": "\\r"
            case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{AD}":
              "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: String(scalar)
            }
          }
          guard writer.text != "\"" + expected.joined() + "\"" else { continue }
          Issue.record("byte \(byte) at \(place) of \(count) among \(around.value): \(writer.text)")
        }
      }
    }
  }

  @Test("A text that is taken in pieces is the same as in one", arguments: [JSONWriter.Layout.compact, .pretty])
  func pieces(layout: JSONWriter.Layout) {
    func write(_ writer: inout JSONWriter, _ between: (inout JSONWriter) -> Void) {
      writer.beginObject()
      between(&writer)
      writer.key("list")
      between(&writer)
      writer.beginArray()
      for number in 0..<3 {
        between(&writer)
        writer.value(number)
      }
      writer.endArray()
      between(&writer)
      writer.member("last", true)
      writer.endObject()
      writer.endLine()
    }
    var whole = JSONWriter(layout)
    write(&whole) { _ in }
    var cut = JSONWriter(layout)
    var taken: [UInt8] = []
    write(&cut) { taken += $0.takeBytes() }
    #expect(taken.count > 0)
    #expect(cut.bytes.count < whole.bytes.count)
    #expect(taken + cut.bytes == whole.bytes)
  }

  @Test("A number that is not finite breaks the contract")
  func notFinite() async {
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter()
      writer.value(Double.nan)
    }
  }

  @Test("Random values survive being written and parsed", arguments: 1...8 as ClosedRange<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    for _ in 0..<300 {
      let value = Self.random(depth: 4, &generator)
      for layout in [JSONWriter.Layout.compact, .pretty] {
        var writer = JSONWriter(layout)
        writer.value(value)
        writer.endLine()
        let parsed = try JSONValue.parse(writer.bytes.span)
        #expect(parsed == value, "seed \(seed): \(writer.text)")
        var again = JSONWriter(layout)
        again.value(parsed)
        again.endLine()
        #expect(again.bytes == writer.bytes, "seed \(seed)")
      }
    }
  }

  private static func random(depth: Int, _ generator: inout SplitMix64) -> JSONValue {
    switch Int.random(in: 0...(depth > 0 ? 7 : 4), using: &generator) {
    case 0: return JSONValue(.null)
    case 1: return JSONValue(.bool(Bool.random(using: &generator)))
    case 2: return JSONValue(.number(JSONNumber(Int64(bitPattern: generator.next()))))
    case 3:
      let number = Double(bitPattern: generator.next())
      return JSONValue(.number(JSONNumber(number.isFinite ? number : 0.1)))
    case 4: return JSONValue(.string(text(&generator)))
    case 5, 6:
      let count = Int.random(in: 0...4, using: &generator)
      return JSONValue(.array((0..<count).map { _ in random(depth: depth - 1, &generator) }))
    default:
      let count = Int.random(in: 0...20, using: &generator)
      return JSONValue(
        .object((0..<count).map { JSONMember("\($0)" + text(&generator), random(depth: depth - 1, &generator)) }))
    }
  }

  private static func text(_ generator: inout SplitMix64) -> String {
    let pieces = ["a", "\"", "\\", "\n", "\0", "é", "😀", "\u{2028}", "/", " ", "\u{7F}", "zone", "\u{1F}"]
    let count = Int.random(in: 0...6, using: &generator)
    return (0..<count).compactMap { _ in pieces.randomElement(using: &generator) }.joined()
  }
}
