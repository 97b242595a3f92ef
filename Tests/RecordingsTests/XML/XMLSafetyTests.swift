import Recordings
import Testing
@testable import WorkoutTestSupport

@Suite("XML that means harm")
struct XMLSafetyTests {
  private func gpx(_ prolog: String, _ content: String = "") -> DecodedText {
    DecodedText(
      GPXDecoder(),
      prolog
        + XMLFixture.gpx("<trk><trkseg>\(XMLFixture.gpxPoint(0))\(content)</trkseg></trk>")
        .replacing(#"<?xml version="1.0" encoding="UTF-8"?>"#, with: ""))
  }

  @Test("Entities are refused where they are declared")
  func entities() {
    let laughs = (1...9).map { "<!ENTITY a\($0) \"&a\($0 - 1);&a\($0 - 1);&a\($0 - 1);\">" }.joined()
    for declaration in [
      "<!ENTITY a0 \"ha\">\(laughs)", "<!ENTITY file SYSTEM \"file:///etc/passwd\">",
      "<!ENTITY % remote SYSTEM \"http://localhost:1/x.dtd\"> %remote;", "<!ENTITY % a \"b\">",
    ] {
      let decoded = gpx("<!DOCTYPE gpx [\(declaration)]>")
      #expect(decoded.problem?.problem == "expected no declaration of an entity", "\(declaration)")
      #expect(decoded.items.isEmpty)
    }
  }

  @Test("A document type of elements and attributes passes, and nothing outside is loaded")
  func documentType() {
    let inside = "<!DOCTYPE gpx [<!ELEMENT gpx (trk*)><!ATTLIST gpx creator CDATA #IMPLIED>]>"
    #expect(gpx(inside).points.count == 1)
    #expect(gpx(inside).problem == nil)
    #expect(gpx("<!DOCTYPE gpx SYSTEM \"http://localhost:1/gpx.dtd\">").problem == nil)
    #expect(gpx("", "<trkpt><time>&unknown;</time></trkpt>").problem != nil)
  }

  @Test("Elements may be 64 deep, not deeper")
  func depth() {
    let nested = { (count: Int) in
      gpx("", String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count))
    }
    #expect(nested(61).problem == nil)
    #expect(nested(62).problem?.problem == "expected at most 64 elements inside one another")
    #expect(nested(100_000).points.count == 1)
  }

  @Test("Attributes, texts and comments have a limit")
  func sizes() {
    let attributes = { (count: Int) in (0..<count).map { " a\($0)='1'" }.joined() }
    #expect(gpx("", "<trkpt\(attributes(128))/>").problem == nil)
    #expect(gpx("", "<trkpt\(attributes(129))/>").problem?.problem.hasPrefix("expected at most 128 attributes") == true)
    let long = { (count: Int) in String(repeating: "1", count: count) }
    #expect(gpx("", "<trkpt a='\(long(60_000))'/>").problem == nil)
    #expect(gpx("", "<trkpt a='\(long(70_000))'/>").problem?.problem.hasPrefix("expected at most 128") == true)
    #expect(gpx("", "<trkpt a='\(long(900_000))'/>").problem?.problem.hasPrefix("expected less than 262144") == true)
    #expect(gpx("", "<!--\(long(900_000))-->").problem?.problem.hasPrefix("expected less than 262144") == true)
    #expect(gpx("", "<trkpt><hr>\(long(65_536))</hr></trkpt>").problem == nil)
    #expect(gpx("", "<trkpt><hr>\(long(65_537))</hr></trkpt>").problem?.problem.hasSuffix("text in an element") == true)
    #expect(gpx("", "<cmt>\(long(900_000))</cmt>").problem == nil)
    #expect(gpx("", "<trkpt a='\(long(900_000))'/>").points.count == 1)
  }

  @Test("What is wrong is said with the byte and what was expected")
  func messages() {
    let head = "<gpx><trk><trkseg>"
    for (text, message) in [
      (head + "</trk>", "byte 20: expected the end of <trkseg>, found that of another element"),
      (head + "<trkpt", "byte 24: expected the end of <trkseg>, found the end of the text"),
      (head + "<bla>\n", "byte 24: expected the end of an element, found the end of the text"),
      ("<gpx/>\n<gpx/>", "byte 6: expected the end of the text, found more"),
      ("<?xml version='1.0' encoding='x-none'?><gpx/>", "byte 30: expected UTF-8, UTF-16, ISO-8859-1 or US-ASCII"),
      ("<gpx a='1' a='2'/>", "byte 11: expected XML, found: duplicate attribute"),
      ("lat,lon\n1,2\n", "byte 0: expected XML, found: syntax error"),
    ] {
      #expect(DecodedText(GPXDecoder(), text).problem?.description == message)
    }
  }

  @Test("After a problem every call says it again")
  func again() {
    let decoder = GPXDecoder()
    var emitted = 0
    for _ in 0..<3 {
      #expect(throws: DecodingProblem.self) { try decoder.feed("<html/>".utf8.span) { _ in emitted += 1 } }
    }
    #expect(throws: DecodingProblem.self) { try decoder.finish { _ in emitted += 1 } }
    #expect(emitted == 0)
  }

  @Test("UTF-16 and Latin-1 are read")
  func encodings() {
    let text = XMLFixture.gpxRun.replacing("\"UTF-8\"", with: "\"UTF-16\"")
    var bytes: [UInt8] = [0xFF, 0xFE]
    for unit in text.utf16 { bytes += [UInt8(unit & 255), UInt8(unit >> 8)] }
    let wide = DecodedText(GPXDecoder(), bytes)
    #expect(wide.problem == nil)
    #expect(wide.lines == DecodedText(GPXDecoder(), XMLFixture.gpxRun).lines)
    // The mark says one encoding, the declaration another.
    let torn = text.replacing("\"UTF-16\"", with: "\"UTF-8\"").utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    #expect(
      DecodedText(GPXDecoder(), [0xFF, 0xFE] + torn).problem?.problem
        == "expected a text in the encoding that it declares, such as UTF-16 behind its mark")
    let latin = "<?xml version='1.0' encoding='ISO-8859-1'?><gpx creator='v\u{ed}vo'/>".unicodeScalars
      .map { UInt8(truncatingIfNeeded: $0.value) }
    #expect(DecodedText(GPXDecoder(), latin).story == ["device vívo"])
  }
}
