@testable import Recordings
import TestSupport
import Testing
@testable import TextFormats
import ZoneEngine
@testable import WorkoutTestSupport

/// Keeps everything that a decoder gives.
private struct Keeper: AppleHealthConsumer {
  var lines: [String] = []

  mutating func take(_ record: AppleHealthRecord, _ sources: AppleHealthSources) -> String? {
    lines.append(
      "\(record.kind) \(record.value) \(record.start.seconds)…\(record.end.seconds) \(sources.names[record.source])")
    return nil
  }

  mutating func take(_ beats: HealthBeatList, _ sources: AppleHealthSources) -> String? {
    let intervals = beats.intervals.map { "\($0.atMilliseconds):\($0.milliseconds)" }.joined(separator: " ")
    lines.append("beats \(beats.start.seconds)…\(beats.end.seconds) \(intervals) \(sources.names[beats.source])")
    return nil
  }

  mutating func take(_ workout: AppleHealthWorkout) -> String? {
    lines.append("\(workout.sport) \(workout.start.seconds)…\(workout.end.seconds) \(workout.pauses.count)")
    return nil
  }
}

/// What a decoder emits of some bytes.
private struct Decoded {
  var lines: [String] = []
  var warnings: [String] = []
  var problem: DecodingProblem?

  init(_ bytes: [UInt8], chunk: Int = 64 << 10) {
    let decoder = AppleHealthDecoder(Keeper())
    let decoded = DecodedText(decoder, bytes, chunk: chunk)
    lines = decoder.consumer.lines
    warnings = decoded.items.compactMap { item in
      guard case .warning(let kind, let position, let detail) = item else { return nil }
      return "\(kind.rawValue) \(position)" + (detail.map { " \($0)" } ?? "")
    }
    problem = decoded.problem
  }

  init(_ text: String, chunk: Int = 64 << 10) { self.init(Array(text.utf8), chunk: chunk) }
}

@Suite("The text of an Apple Health export")
struct AppleHealthTextTests {
  private typealias Fixture = HealthFixture

  private let one = Fixture.beat(1)

  @Test("passes with a document type as the app writes it, whole or broken, and with none")
  func documentTypes() {
    for type in [
      Fixture.documentType, Fixture.brokenDocumentType, "", "<!DOCTYPE HealthData>", "<!DOCTYPE HealthData [ ] \n>",
      "<!-- <!DOCTYPE a [<!ENTITY b \"c\">]> -->", "<!DOCTYPE HealthData [<!-- <!ENTITY a \"b\"> --><?a <!ENTITY ?>]>",
    ] {
      let text = Fixture.export(one, type: type)
      for chunk in [1, 3, 100_000] {
        let decoded = Decoded(text, chunk: chunk)
        #expect(decoded.problem == nil, "\(type), pieces of \(chunk)")
        #expect(decoded.lines.count == 1, "\(type), pieces of \(chunk)")
        #expect(decoded.warnings.isEmpty, "\(type), pieces of \(chunk)")
      }
    }
  }

  @Test("is refused with a declared entity or anything external, where it stands")
  func entities() {
    let laughs = (1...9).map { "<!ENTITY a\($0) \"&a\($0 - 1);&a\($0 - 1);\">" }.joined()
    for declaration in ["<!ENTITY a0 \"ha\">\(laughs)", "<!ENTITY % a SYSTEM \"http://localhost:1/\"> %a;"] {
      let text = Fixture.export(one, type: "<!DOCTYPE HealthData [<!ELEMENT a EMPTY>\(declaration)]>")
      let decoded = Decoded(text)
      #expect(decoded.problem?.description == "byte 79: expected no declaration of an entity", "\(declaration)")
      #expect(decoded.lines.isEmpty)
    }
    for type in ["SYSTEM \"http://localhost:1/a.dtd\"", "PUBLIC 'a' 'b' [ ]"] {
      let decoded = Decoded(Fixture.export(one, type: "<!DOCTYPE HealthData \(type)>"))
      #expect(decoded.problem?.description == "byte 39: expected a document type without anything external")
    }
    // Without a declaration there is nothing that a reference could stand for.
    let reference = Decoded(Fixture.export(one.replacing("Watch\" sourceV", with: "&a;\" sourceV")))
    #expect(reference.problem != nil)
    #expect(reference.lines.isEmpty)
    let second = Decoded(Fixture.export(one, type: Fixture.documentType + "<!DOCTYPE a [<!ENTITY b \"c\">]>"))
    #expect(second.problem != nil)
    #expect(second.lines.isEmpty)
  }

  @Test("is refused when too much stands before it begins")
  func longPrologue() {
    let long = String(repeating: "<!ELEMENT a EMPTY>\n", count: 8_000)
    #expect(
      Decoded(Fixture.export(one, type: "<!DOCTYPE HealthData [\(long)]>")).problem?.description
        == "byte 0: expected <HealthData> within 131072 bytes")
    #expect(Decoded(Fixture.export(one, type: "<!DOCTYPE HealthData [\(long.prefix(100_000))]>")).problem == nil)
  }

  @Test("keeps every position although the document type is left out")
  func positions() {
    let text = Fixture.export(one + Fixture.beat(2, "x"), type: Fixture.brokenDocumentType)
    let place = text.utf8.count - "</HealthData>\n".utf8.count - Fixture.beat(2, "x").utf8.count + 1
    for chunk in [1, 50, 100_000] {
      #expect(Decoded(text, chunk: chunk).warnings == ["unreadableValue byte \(place) the value of HeartRate"])
    }
  }

  @Test("cut anywhere emits everything before the cut, and where it is")
  func truncation() {
    let bytes = Array(Fixture.everything.utf8)
    let whole = Decoded(bytes).lines
    #expect(whole.count == 39)
    for count in 0..<bytes.count - 1 {
      let decoded = Decoded(Array(bytes[..<count]))
      #expect(decoded.problem?.position == "byte \(count)", "cut at \(count): \(decoded.problem as Any)")
      // A workout that has begun is emitted as far as it went.
      let same = zip(decoded.lines, whole).prefix { $0 == $1 }.count
      #expect(same >= decoded.lines.count - 1, "cut at \(count)")
    }
  }

  @Test("in pieces of any size is the same")
  func pieces() {
    let text = Fixture.everything
    let whole = Decoded(text)
    for chunk in [1, 2, 7, 333, 4_096] {
      let decoded = Decoded(text, chunk: chunk)
      #expect(decoded.lines == whole.lines, "pieces of \(chunk)")
      #expect(decoded.problem == nil, "pieces of \(chunk)")
    }
  }

  @Test("with control characters is read, with a warning at each")
  func controls() {
    let text = Fixture.export(one.replacing("name:Watch", with: "name:\u{B}Wa\u{0}tch\u{1F}") + Fixture.beat(5))
    let first = text.utf8.firstIndex(of: 0xB).map { text.utf8.distance(from: text.utf8.startIndex, to: $0) } ?? 0
    for chunk in [1, 77, 100_000] {
      let decoded = Decoded(text, chunk: chunk)
      #expect(decoded.lines.count == 2)
      #expect(decoded.problem == nil)
      #expect(decoded.warnings == [0, 3, 7].map { "unreadableBytes byte \(first + $0) a control character" })
    }
  }

  @Test("goes on behind damage with the next record or workout")
  func recovery() {
    let workout = Fixture.workout("Running", 0, 60, Fixture.event("Pause", 5) + Fixture.event("Resume", 9))
    for damage in [
      Fixture.beat(3).replacing("value=", with: "Health Mate=\"1\" value="),
      Fixture.beat(3).replacing("Watch", with: "&#11;"),
      "<Record type=\"a\"", " <Correlation><Record ", "</Workout>", "&undefined;",
      " <Workout workoutActivityType=\"<\">",
      " <Record type=\"a\" type=\"b\"/>",
    ] {
      let text = Fixture.export(one + damage + Fixture.beat(5) + Fixture.beat(6) + workout)
      let whole = Decoded(text)
      #expect(whole.problem == nil, "\(damage)")
      #expect(whole.warnings.count == 1, "\(damage)")
      #expect(whole.warnings[0].hasPrefix("unreadableBytes byte "), "\(damage)")
      #expect(whole.lines.count >= 3, "\(damage)")
      #expect(whole.lines.last?.hasPrefix("running") == true, "\(damage)")
      #expect(whole.lines.last?.hasSuffix(" 1") == true, "\(damage)")
      for chunk in [1, 13, 500] {
        let decoded = Decoded(text, chunk: chunk)
        #expect(decoded.lines == whole.lines, "\(damage), pieces of \(chunk)")
        #expect(decoded.warnings == whole.warnings, "\(damage), pieces of \(chunk)")
      }
    }
    let invalid =
      Array(Fixture.export(one).utf8.dropLast(14)) + [0xFF, 0xC3] + Array((Fixture.beat(9) + "</HealthData>").utf8)
    #expect(Decoded(invalid).lines.count == 2)
    let last = Decoded(Fixture.export(one + "<a><b></a>"))
    #expect(last.lines.count == 1)
    #expect(last.problem?.problem.hasPrefix("expected") == true)
  }

  @Test("gives up when damage does not end")
  func endlessDamage() {
    let text = Fixture.export(String(repeating: "<Record &\n", count: 1_200) + Fixture.beat(5))
    let decoded = Decoded(text)
    #expect(decoded.problem != nil)
    #expect(decoded.lines.isEmpty)
    #expect(decoded.warnings.count == 1_000)
  }

  @Test("with random damage neither traps nor emits more than it should, in pieces of any size the same")
  func flips() {
    let bytes = Array(Fixture.everything.utf8)
    for seed in 0..<150 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var damaged = bytes
      for _ in 0..<random.int(1...10) {
        let index = random.int(0...damaged.count - 1)
        switch random.int(0...3) {
        case 0: damaged[index] = UInt8(random.int(0...255))
        case 1: damaged[index] ^= 1 << UInt8(random.int(0...7))
        case 2: damaged.remove(at: index)
        default: damaged[index] = random.pick([48, 57, 60, 62, 45, 34, 38])
        }
      }
      let decoded = Decoded(damaged)
      #expect(decoded.lines.count <= 39, "seed \(seed)")
      let pieces = Decoded(damaged, chunk: 11)
      #expect(decoded.lines == pieces.lines, "seed \(seed)")
      // Behind what ends the reading, only control characters of the same piece may be reported.
      let more = decoded.warnings.filter { !pieces.warnings.contains($0) }
      #expect(more.allSatisfy { $0.hasSuffix("a control character") }, "seed \(seed)")
      #expect(more.isEmpty || decoded.problem != nil, "seed \(seed)")
      #expect(Set(pieces.warnings).isSubset(of: decoded.warnings), "seed \(seed)")
    }
  }

  @Test("of a recording cut or damaged is read with a warning; with nothing before it, as one error")
  func façade() throws {
    let folder = try ScratchFolder()
    let text = Fixture.export(one + Fixture.beat(5))
    let cut = try folder.health(String(text.dropLast(10)))
    #expect(cut.facts.sampleCount == 2)
    #expect(cut.facts.warnings.map(\.kind) == [.truncated])
    #expect(cut.facts.warnings.first?.position == "byte \(text.utf8.count - 10)")
    let packedCut = try folder.health(String(text.dropLast(10)), isPacked: true)
    #expect(packedCut.facts.warnings.first?.position == "unpacked byte \(text.utf8.count - 10)")
    let error = #expect(throws: RecordingError.self) { try folder.health(String(text.prefix(200))) }
    #expect(
      error?.description.hasSuffix("byte 200: expected the end of the document type, found the end of the text") == true
    )
  }
}
