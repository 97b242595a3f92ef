import Foundation
import StrategyStudy
import TestSupport
import Testing
import TextFormats

@Suite("Parts of a study")
struct StudyPartTests {
  private let study: Study

  init() throws { study = try SmallStudy.make(runners: 11, seconds: 300, observes: true) }

  private func part(_ number: Int, of count: Int, _ study: Study? = nil) throws -> StudyPart {
    let study = study ?? self.study
    let shard = try #require(StudyShard(number: number, count: count))
    return StudyPart(shard: shard, outcomes: try SmallStudy.outcomes(study, shard.runners(of: study.runners)))
  }

  private func named(_ part: StudyPart, _ name: String) -> StudyMerge.NamedPart {
    StudyMerge.NamedPart(name: name, part: part)
  }

  private func text(_ part: StudyPart) -> String {
    var writer = JSONWriter()
    part.write(to: &writer)
    return writer.text
  }

  @Test("Shards are disjoint, in order and complete, however many there are", arguments: [1, 2, 3, 7, 11, 40])
  func shards(count: Int) throws {
    var next = 0
    for number in 1...count {
      let runners = try #require(StudyShard(number: number, count: count)).runners(of: 11)
      #expect(runners.lowerBound == next)
      next = runners.upperBound
    }
    #expect(next == 11)
    #expect(StudyShard(number: 0, count: 3) == nil)
    #expect(StudyShard(number: 4, count: 3) == nil)
    #expect(StudyShard(number: 1, count: 0) == nil)
  }

  @Test("A merge in any order equals the unsharded study byte for byte", arguments: [1, 2, 3, 13])
  func merge(count: Int) throws {
    let whole = try SmallStudy.outcomes(study)
    var random = SplitMix64(seed: UInt64(count))
    let parts = try (1...count).map { named(try part($0, of: count), "part\($0)") }.shuffled(using: &random)
    let merged = try StudyMerge.merge(parts)
    #expect(try Array(merged.sessions(of: merged.runners)) == whole.sessions)
    for runners in [0..<1, 2..<7, 10..<11, 5..<5] {
      #expect(try merged.sessions(of: runners) == whole.sessions(of: runners), "\(runners)")
    }
    for place in 0..<StudyLayout(study).sessionsPerRunner {
      #expect(try merged.all(place) == whole.all(place), "kind \(place)")
    }
    #expect(try SmallStudy.records(merged) == SmallStudy.records(whole))
    #expect(try table(merged) == table(whole))
  }

  private func table(_ outcomes: some StudyOutcomeSource) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try OutcomeTable.write(outcomes) { piece in for index in piece.indices { bytes.append(piece[index]) } }
    return bytes
  }

  @Test("A part that is not of the study is refused when it comes, and the others are merged without it")
  func incremental() throws {
    var merge = StudyMerge()
    try merge.add(named(try part(2, of: 2), "b"))
    #expect(throws: StudyMerge.Problem.repeated(name: "c", first: "b", shard: 2, count: 2)) {
      try merge.add(named(try part(2, of: 2), "c"))
    }
    #expect(throws: StudyMerge.Problem.otherCount(name: "d", count: 3, first: "b", expected: 2)) {
      try merge.add(named(try part(1, of: 3), "d"))
    }
    #expect(throws: StudyMerge.Problem.missing(shards: [1], count: 2)) { try merge.outcomes() }
    try merge.add(named(try part(1, of: 2), "a"))
    #expect(try Array(merge.outcomes().sessions(of: 0..<11)) == SmallStudy.outcomes(study).sessions)
  }

  @Test("A part is read back as it was written")
  func roundTrip() throws {
    let part = try part(2, of: 3)
    let text = text(part)
    let read = try StudyPart(json: text.utf8.span)
    #expect(read == part)
    #expect(self.text(read) == text)
    #expect(text.hasPrefix(#"{"version":1,"type":"studyPart","program":"#))
    #expect(text.hasSuffix("\"}\n"))
    let empty = try self.part(1, of: 40)
    #expect(try StudyPart(json: self.text(empty).utf8.span) == empty)
  }

  @Test("A part that is cut short anywhere is refused")
  func truncated() throws {
    let bytes = Array(text(try part(2, of: 3)).utf8)
    for length in stride(from: 0, to: bytes.count - 1, by: 7) {
      let cut = Array(bytes.prefix(length))
      #expect(throws: JSONError.self, "\(length) of \(bytes.count) bytes") { try StudyPart(json: cut.span) }
    }
  }

  @Test("A part in which a digit was changed is refused", arguments: UInt64(1)...30)
  func changed(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let original = text(try part(2, of: 3))
    var bytes = Array(original.utf8)
    let start = try #require(original.range(of: "\"outcomes\":["))
    let first = original.utf8.distance(from: original.startIndex, to: start.upperBound)
    let place = random.int(first...bytes.count - 3)
    bytes[place] = bytes[place] == UInt8(ascii: "B") ? UInt8(ascii: "C") : UInt8(ascii: "B")
    #expect(throws: JSONError.self) { try StudyPart(json: bytes.span) }
  }

  /// A study of one runner with a short arm and a long one.
  private func twoLengths() throws -> Study {
    let json =
      #"{"version":1,"seed":1,"runners":1,"ageYears":23,"courses":[{"activity":"run","target":"z2","arms":["#
      + #"{"strategy":"moment:every=60","seconds":300},{"strategy":"none","seconds":600}]}],"behaviours":["reflex"]}"#
    return try Study(json: json.utf8.span)
  }

  @Test("A session that cannot be is refused, although the checksum is right, and one at the limits is read")
  func impossible() throws {
    let study = try twoLengths()
    let whole = try SmallStudy.outcomes(study)
    let shard = try #require(StudyShard(number: 1, count: 1))
    func read(_ place: Int, _ change: (inout RunOutcome) -> Void) throws -> StudyPart {
      var sessions = whole.sessions
      change(&sessions[place])
      let outcomes = StudyOutcomes(study: study, runners: whole.runners, sessions: sessions)
      let text = text(StudyPart(shard: shard, outcomes: outcomes))
      return try StudyPart(json: text.utf8.span)
    }
    let changes: [(String, (inout RunOutcome) -> Void)] = [
      ("target", { $0.secondsInTarget = 301 }), ("after", { $0.secondsInTargetAfterStart = $0.secondsInTarget + 1 }),
      ("never", { $0.secondsToTarget = nil }), ("late", { $0.secondsToTarget = 300 }),
      ("cues", { $0.directionalCues = $0.cues + 1 }), ("followed", { $0.followedCues = $0.directionalCues + 1 }),
      ("turns", { $0.directionChanges = $0.directionalCues + 1 }), ("checks", { $0.checksInTarget = $0.checks + 1 }),
      ("midways", { $0.midways = $0.checks + 1 }), ("between", { $0.midwaysInTarget = $0.midways + 1 }),
      ("error", { $0.rootMeanSquareErrorBPM = -1 }), ("overshoot", { $0.overshootBPM = -1 }),
      ("infinite", { $0.overshootBPM = .infinity }),
    ]
    for (name, change) in changes {
      // The treadmill comes first, for each length, then the arms.
      #expect(throws: JSONError.self, "\(name)") {
        try read(2) { outcome in
          (outcome.secondsInTarget, outcome.secondsToTarget) = (max(1, outcome.secondsInTarget), 0)
          change(&outcome)
        }
      }
    }
    for (place, seconds) in [(0, 600), (1, 300), (2, 300), (3, 600)] as [(Int, Int32)] {
      let part = try read(place) { outcome in
        (outcome.secondsInTarget, outcome.secondsInTargetAfterStart, outcome.secondsToTarget) = (seconds, seconds, 0)
      }
      let shares = StudyAnalysis.results(of: part.outcomes).flatMap { result in
        result.limits.map(\.timeInTarget.mean) + result.arms.map(\.timeInTarget.mean)
      }
      #expect(shares[place] == 1)
      #expect(throws: JSONError.self) { try read(place) { $0.secondsInTarget = seconds + 1 } }
    }
  }

  @Test("A distance that a session is too short for is no 0, in no table, also of parts")
  func unknownError() throws {
    var study = try twoLengths()
    study.courses = try study.courses.map { try $0.lasting(180) }
    let unknown = try SmallStudy.outcomes(study)
    #expect(unknown.sessions.map(\.rootMeanSquareErrorBPM) == [nil, nil, nil])
    study.courses = try study.courses.map { try $0.lasting(181) }
    let known = try SmallStudy.outcomes(study)
    #expect(known.sessions.map { $0.rootMeanSquareErrorBPM == nil } == [true, false, false])
    let place = try #require(OutcomeTable.columns.firstIndex(of: "rmse_bpm"))
    for (outcomes, expected) in [(unknown, [true, true, true]), (known, [true, false, false])] {
      let read = try StudyPart(
        json: text(StudyPart(shard: #require(StudyShard(number: 1, count: 1)), outcomes: outcomes)).utf8.span)
      let merged = try StudyMerge.merge([named(read, "part")])
      #expect(try Array(merged.sessions(of: merged.runners)) == outcomes.sessions)
      let rows = String(decoding: try table(merged), as: UTF8.self).split(separator: "\n").dropFirst()
      #expect(rows.map { $0.split(separator: ",", omittingEmptySubsequences: false)[place].isEmpty } == expected)
      let result = try #require(StudyAnalysis.results(of: outcomes).first)
      let distances = result.limits.map(\.rootMeanSquareErrorBPM) + result.arms.map(\.rootMeanSquareErrorBPM)
      #expect(distances.map { $0 == nil } == expected)
    }
  }

  @Test("A runner with other than the sessions of the study is refused, although the checksum is right")
  func otherNumber() throws {
    let study = try twoLengths()
    let shard = try #require(StudyShard(number: 1, count: 1))
    let original = text(StudyPart(shard: shard, outcomes: try SmallStudy.outcomes(study)))
    let value = try JSONValue.parse(original.utf8.span)
    let packed = try #require(value["outcomes"]?.array?.first?.string)
    let zeros = String(repeating: "A", count: 13)
    for other in ["", String(packed.dropLast()), packed + zeros, packed + "A", zeros, packed + "\u{E9}"] {
      let changed = original.replacingOccurrences(of: packed, with: other)
        .replacingOccurrences(of: shard.checksum(of: [packed]), with: shard.checksum(of: [other]))
      let error = #expect(throws: JSONError.self, "\(other)") { try StudyPart(json: changed.utf8.span) }
      #expect(error.map { "\($0)" }?.contains("runner 1") == true, "\(other)")
    }
  }

  @Test("Parts of another version, study or program are refused when they are read")
  func foreignFiles() throws {
    let original = text(try part(1, of: 2))
    for (old, new) in [
      ("\"version\":1,\"type\"", "\"version\":2,\"type\""), ("studyPart", "study"),
      ("\"program\":\"", "\"program\":\"9"), ("\"seed\":3", "\"seed\":4"), ("\"shard\":1", "\"shard\":2"),
      ("\"shard\":1", "\"shard\":3"),
    ] {
      let changed = original.replacingOccurrences(of: old, with: new)
      #expect(changed != original)
      // The runners of the two halves differ in number, so that the second cannot pass for the first.
      #expect(throws: JSONError.self, "\(new)") { try StudyPart(json: changed.utf8.span) }
    }
  }

  @Test("Lost, repeated and foreign parts are named, never summed")
  func named() throws {
    let first = named(try part(1, of: 3), "a.json")
    let second = named(try part(2, of: 3), "b.json")
    let third = named(try part(3, of: 3), "c.json")
    func problem(_ parts: StudyMerge.NamedPart...) throws -> StudyMerge.Problem? {
      do {
        _ = try StudyMerge.merge(parts)
        return nil
      } catch let problem as StudyMerge.Problem {
        return problem
      }
    }
    #expect(try problem(third, first, second) == nil)
    #expect(try problem(first) == .missing(shards: [2, 3], count: 3))
    #expect(try problem(first, third) == .missing(shards: [2], count: 3))
    #expect(
      try problem(first, second, third, named(part(2, of: 3), "again.json"))
        == .repeated(name: "again.json", first: "b.json", shard: 2, count: 3))
    var other = study
    other.seed += 1
    #expect(
      try problem(first, named(part(2, of: 3, other), "x.json"), third) == .foreign(name: "x.json", first: "a.json"))
    #expect(
      try problem(first, named(part(2, of: 2), "y.json"))
        == .otherCount(name: "y.json", count: 2, first: "a.json", expected: 3))
    for text in try [problem(first), problem(first, first)].compactMap({ $0?.description }) {
      #expect(text.contains(": "))
      #expect(!text.contains("\n"))
    }
  }

  @Test("Each row of the table says of which course it is, its driven treadmill too")
  func coursesOfTable() throws {
    let json =
      #"{"version":3,"seed":1,"runners":2,"ageYears":23,"behaviours":["reflex"],"courses":["#
      + #"{"activity":"run","target":"z2","seconds":60,"arms":["none"]},"#
      + #"{"activity":"run","target":"120-140","population":"hunt","heart":"saturating","seconds":60,"arms":["none"]}]}"#
    let outcomes = try SmallStudy.outcomes(try Study(json: json.utf8.span))
    let rows = String(decoding: try table(outcomes), as: UTF8.self).split(separator: "\n").dropFirst()
    let ends = rows.map { $0.split(separator: ",").suffix(4).joined(separator: ",") }
    let (first, second) = ("1,wise,first-order,z2", "2,hunt,saturating,120-140")
    #expect(ends == [first, first, first, first, second, second, second, second])
  }

  @Test("The table has a row for each session and the columns of its dictionary")
  func table() throws {
    let outcomes = try SmallStudy.outcomes(study)
    let lines = String(decoding: try table(outcomes), as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(lines[0] == OutcomeTable.columns.joined(separator: ","))
    #expect(lines.count == 1 + 11 * (1 + 2 * (3 + 4)))
    #expect(lines[1].hasPrefix("run,\"\",\"drivenTreadmill\",1,limit,300,"))
    #expect(lines[2].hasPrefix("run,\"reflex\",\"none\",1,paired,300,\(outcomes.sessions[1].secondsInTarget),"))
    for line in lines {
      // Commas in quotes are part of a name.
      let fields = line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 0 }.reduce(0) { $0 + $1.element.count { $0 == "," } }
      #expect(fields == OutcomeTable.columns.count - 1, "\(line)")
    }
    let dictionary = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/study-outcomes.csv")
    let rows = try String(contentsOf: dictionary, encoding: .utf8).split(separator: "\n").dropFirst()
    #expect(rows.map { String($0.prefix { $0 != "," }) } == OutcomeTable.columns)
  }
}
