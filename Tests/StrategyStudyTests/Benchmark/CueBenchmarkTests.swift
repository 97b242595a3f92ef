import Foundation
import OutsidePolicies
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine

@testable import StrategyStudy

@Suite("The frozen benchmark of cues")
struct CueBenchmarkTests {
  private func result(
    _ text: String, runners: Int = 3, threads: Int = 2, only places: Range<Int> = 0..<1,
    _ seeds: CueBenchmark.Seeds = .development
  ) throws -> CueBenchmarkResult {
    let run = CueBenchmarkRun(text, try FeedbackStrategy(specification: text), seeds, runners: runners)
    return try #require(try run.run(threads: threads, only: places) { _ in true })
  }

  private func bytes(_ result: CueBenchmarkResult) -> [UInt8] {
    var writer = JSONWriter()
    CueBenchmarkRecords.write(result, to: &writer)
    return writer.bytes
  }

  @Test("The definition is the one that was published: whoever changes a number of it has to give it another number")
  func frozen() {
    #expect(CueBenchmark.number == 1)
    #expect(CueBenchmark.hash == "c23c17247101d7c2f927b9852ef100fe9f2eb7b03c2fd7242a0dd242527162cc")
    #expect(CueBenchmark.gaits.count * CueBenchmark.populations.count == 12)
    #expect(CueBenchmark.behaviours.count * CueBenchmark.artefacts.count == 27)
  }

  @Test("The final seed is made from the rule that was written before")
  func finalSeed() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let rule = [UInt8](try Data(contentsOf: root.appendingPathComponent("docs/adaptive-rule.md")))
    let digits = SHA256.hex(of: rule.span).prefix(13)
    #expect(UInt64(digits, radix: 16) == CueBenchmark.seed(.final))
    #expect(CueBenchmark.seed(.development) != CueBenchmark.seed(.final))
  }

  @Test("A fault of the sensor is added to a behaviour in its own words", arguments: [0, 1, 2])
  func behaviours(_ index: Int) throws {
    let artefacts = CueBenchmark.artefacts[index]
    for text in CueBenchmark.behaviours {
      let both = try Behaviour(CueBenchmark.behaviour(text, artefacts))
      var expected = try Behaviour(text)
      if index > 0 { expected.artifacts = Behaviour.Fault(share: 0.1, seconds: index == 1 ? 5 : 60) }
      #expect(both == expected, "\(text)")
    }
  }

  @Test("A cell is that of a study of the same runners, whatever the number of threads")
  func likeAStudy() throws {
    let first = try result("trend:every=50,hold=0", threads: 1)
    #expect(bytes(first) == bytes(try result("trend:every=50,hold=0", threads: 3)))
    let cell = first.cells[3]
    #expect(cell.words == "walk, usual, relapse:tau=90")
    // The same by the study alone.
    var person = AthleteProfile()
    person.ageYears = 23
    let names = ["trend:every=50,hold=0"] + CueBenchmark.references.map(\.specification)
    let arms = try names.map {
      StudyArm(name: $0, strategy: try FeedbackStrategy(specification: $0), seconds: 1_500)
    }
    let study = Study(
      name: nil, purpose: nil, seed: 101, runners: 3,
      courses: [
        try StudyCourse(
          person: person, target: "weight-control", arms: arms, model: .standard(.walk), contrasts: [], observed: nil)
      ],
      behaviours: [try StudyBehaviour("relapse:tau=90")])
    let outcomes = try #require(StudySimulation.run(study, runners: 0..<3, threads: 1) { _ in true })
    let results = StudyAnalysis.results(of: outcomes)
    let shares = results[0].arms.map(\.timeInTarget.mean)
    let cues = results[0].arms.map(\.cuesPerHour.mean)
    #expect(cell.timeInTarget[first.place].mean == shares[0])
    #expect((cell.cuesPerHour[first.place].mean - cues[0]).magnitude < 1e-9)
    let deviation = try #require(results[0].arms[0].cuesPerHour.standardDeviation)
    #expect((try #require(cell.cuesPerHour[first.place].standardDeviation) - deviation).magnitude < 1e-9)
    let able = CueBenchmark.references.indices.filter { cues[$0 + 1] <= 60 }
    let best = try #require(able.map { shares[$0 + 1] }.max())
    #expect(shares[cell.best[first.place] + 1] == best)
    #expect((cell.regret[first.place].mean - (best - shares[0])).magnitude < 1e-12)
    #expect(cell.regret[first.place].count == 3)
  }

  @Test("A policy that is one of the references is held against the others")
  func reference() throws {
    let own = try result("trend:every=30,hold=0")
    let place = try #require(CueBenchmark.references.firstIndex { $0.name == "trend:every=30" })
    #expect(own.place == place)
    #expect(own.cells.allSatisfy { $0.best[place] != place })
    #expect(own.cells[0].timeInTarget.count == CueBenchmark.references.count)
    #expect(own.policy.lead.mean == 0)
    // What an arm is said to have done does not depend on the policy beside it.
    let other = try result("none")
    for (a, b) in zip(own.arms.dropFirst(), other.arms.dropFirst()) {
      #expect(a.timeInTarget == b.timeInTarget)
      #expect(a.worstRegret == b.worstRegret)
    }
    #expect(own.policy.worstRegret == other.arms[place + 1].worstRegret)
    let mean = own.cells.map { $0.regret[place].mean }.reduce(0, +) / Double(own.cells.count)
    #expect((own.policy.meanRegret.mean - mean).magnitude < 1e-12)
    #expect(own.policy.worstRegret.mean == own.cells.map { $0.regret[place].mean }.max())
  }

  @Test("Cues an hour and mean regret have the intervals of what each runner had over all cells, by Student's t")
  func intervals() throws {
    let own = try result("moment:every=45,hold=0")
    // The same by the study alone, its sessions added up here.
    let study = try CueBenchmark.study(
      .walk, CueBenchmark.populations[0], model: .standard(.walk), policy: nil, seeds: .development, runners: 3)
    let outcomes = try #require(StudySimulation.run(study, runners: 0..<3, threads: 1) { _ in true })
    let layout = StudyLayout(study)
    var cues = [0.0, 0, 0]
    var regret = cues
    for (index, cell) in own.cells.enumerated() {
      let mine = outcomes.all(layout.arm(own.place, 0, index))
      let best = outcomes.all(layout.arm(cell.best[own.place], 0, index))
      for runner in 0..<3 {
        let behind = Int(best[runner].secondsInTarget) - Int(mine[runner].secondsInTarget)
        cues[runner] += Double(mine[runner].cues) * 2.4 / 27
        regret[runner] += Double(behind) / 1_500 / 27
      }
    }
    // 4.3027 is the quantile of 97.5 % of two degrees of freedom.
    func check(_ found: SampleMoments, _ values: [Double]) throws {
      let mean = values.reduce(0, +) / 3
      let squares = values.map { ($0 - mean) * ($0 - mean) }
      let variance: Double = squares.reduce(0, +) / 2
      let half: Double = 4.302_652_729_749_46 * (variance / 3).squareRoot()
      let interval = try #require(found.confidence95)
      #expect((found.mean - mean).magnitude < 1e-9)
      #expect((interval.lower - (mean - half)).magnitude < 1e-7, "\(interval) \(mean) \(half)")
      #expect((interval.upper - (mean + half)).magnitude < 1e-7)
      #expect(half > 0)
    }
    try check(own.policy.cuesPerHour, cues)
    try check(own.policy.meanRegret, regret)
    for line in String(decoding: bytes(own), as: UTF8.self).split(separator: "\n").dropFirst() {
      #expect(line.contains(#""cuesPerHour":{"mean":"#))
      #expect(line.contains(#""meanRegret":{"mean":"#) == line.contains("benchmarkArm"))
    }
  }

  @Test(
    "The cells of a program are those of the strategy that it is, on one thread and on three",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
  func program() throws {
    let text = PolicyFixture.example("moment.py") + " 120"
    let policies = try Policies([text], seed: CueBenchmark.seed(.development), seconds: 20)
    defer { policies.end() }
    let ours = try result("moment:every=120")
    for threads in [1, 3] {
      let run = CueBenchmarkRun(
        text, try policies.strategy(text), .development, runners: 3, policies: policies)
      let asked = try #require(try run.run(threads: threads, only: 0..<1) { _ in true })
      #expect(policies.failure == nil)
      #expect(asked.place == ours.place)
      #expect(asked.cells.map(\.timeInTarget) == ours.cells.map(\.timeInTarget))
      #expect(asked.cells.map(\.cuesPerHour) == ours.cells.map(\.cuesPerHour))
      #expect(asked.cells.map(\.regret) == ours.cells.map(\.regret))
      #expect(ours.policy.cuesPerHour.mean > 0)
    }
  }

  @Test("Over two runners no interval is written, and one that a program of before wrote is read")
  func twoRunners() throws {
    let library = try #require(ResultSignatures())
    let key = try #require(library.key(ResultSignatures.keyFile(seed: Array(repeating: 7, count: 32))))
    func runners(_ text: String) throws -> Int {
      let file = try #require(SignedResult.signed(Array(text.utf8), by: key, in: library))
      return try SignedResult.content(of: file, expected: nil, in: library).runners
    }
    let text = String(decoding: bytes(try result("none", runners: 2)), as: UTF8.self)
    #expect(!text.contains("confidence95"))
    #expect(!text.contains("student-t"))
    #expect(try runners(text) == 2)
    let before = text.replacing(/("mean":[^,}]*)\}/) {
      $0.1 + #","confidence95":[-100000,100000],"method":"student-t","n":2}"#
    }
    #expect(before != text)
    #expect(try runners(before) == 2)
    // Over three there is one.
    let three = String(decoding: bytes(try result("none", runners: 3)), as: UTF8.self)
    #expect(try runners(three) == 3)
    #expect(throws: SignedResult.Problem.self) {
      try runners(three.replacing(/,"confidence95":[^\]]*\],"method":"student-t","n":3/, with: ""))
    }
  }

  @Test("The two sets of seeds have other runners")
  func seeds() throws {
    let some = try result("none", runners: 2)
    let other = try result("none", runners: 2, .final)
    #expect(some.cells[0].timeInTarget[0] != other.cells[0].timeInTarget[0])
  }

  @Test("A signature holds for its own text and key alone, and anything that was changed is found")
  func signatures() throws {
    let library = try #require(ResultSignatures(), "libgnutls.so.30 is a package of the system that tests need")
    // RFC 8032, section 7.1, test 1: the signature of nothing.
    let seed = try #require([UInt8](hexadecimal: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))
    let key = try #require(library.key(ResultSignatures.keyFile(seed: seed)))
    #expect(key.publicKey.hexadecimal == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
    #expect(
      library.signature(of: [], by: key)?.hexadecimal
        == "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
    )
    #expect(library.key(Array("no key".utf8)) == nil)
    #expect(library.key([]) == nil)

    let text = bytes(try result("none", runners: 2))
    let file = try #require(SignedResult.signed(text, by: key, in: library))
    let content = try SignedResult.content(of: file, expected: key.publicKey.hexadecimal, in: library)
    #expect(content.policy == "none")
    #expect(content.seeds == .development)
    #expect(content.runners == 2)
    #expect(content.cells == 27)
    #expect(!content.isWhole)
    // Every place of the text may be the one that was changed.
    for place in stride(from: 0, to: file.count, by: 997) {
      var changed = file
      changed[place] ^= 1
      #expect(throws: SignedResult.Problem.self, "byte \(place)") {
        try SignedResult.content(of: changed, expected: nil, in: library)
      }
    }
    for place in stride(from: 0, to: file.count, by: 1_013) {
      #expect(throws: SignedResult.Problem.self, "cut at \(place)") {
        try SignedResult.content(of: Array(file[..<place]), expected: nil, in: library)
      }
    }
    let stranger = String(repeating: "ab", count: 32)
    #expect(throws: SignedResult.Problem.otherKey(key.publicKey.hexadecimal)) {
      try SignedResult.content(of: file, expected: stranger, in: library)
    }
  }

  @Test(
    "A key by which a signature holds for any text vouches for nothing",
    arguments: [
      // Orders 1, 2, 4 and 8, with either sign, then those of y = p and p + 1, which are the first ones once more.
      "0100000000000000000000000000000000000000000000000000000000000000",
      "0100000000000000000000000000000000000000000000000000000000000080",
      "0000000000000000000000000000000000000000000000000000000000000000",
      "0000000000000000000000000000000000000000000000000000000000000080",
      "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
      "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
      "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
      "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
      "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    ])
  func weakKey(key: String) throws {
    let library = try #require(ResultSignatures())
    // What holds for any text by the point of order 1: R = 1 + S·B with S = 0.
    let signature = "01" + String(repeating: "0", count: 126)
    let mark =
      #"{"version":1,"type":"signature","algorithm":"ed25519","publicKey":"\#(key)","signature":"\#(signature)"}"#
    let file = bytes(try result("none", runners: 2)) + Array((mark + "\n").utf8)
    #expect(throws: SignedResult.Problem.weakKey(key)) {
      try SignedResult.content(of: file, expected: nil, in: library)
    }
    let point = try #require([UInt8](hexadecimal: key))
    #expect(!library.isSignature([1] + Array(repeating: 0, count: 63), of: [1, 2, 3], by: point))
  }

  @Test("A file that was signed by a program of before, whose records are of version 1, still holds")
  func olderFile() throws {
    let library = try #require(ResultSignatures())
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "signed-version-1.jsonl")
    let file = [UInt8](try Data(contentsOf: path))
    let key = "744829aba3271200ccd8c4f0c056bd7584e543384ca78acc5bdaaae4f947162a"
    let content = try SignedResult.content(of: file, expected: key, in: library)
    #expect(content.isWhole)
    #expect(content.isPolicyKnown)
    #expect(content.policy == "trend:every=30,hold=0")
    #expect(content.runners == 2)
    // What is signed anew with records of two versions is of neither.
    let mine = try #require(library.key(ResultSignatures.keyFile(seed: Array(repeating: 7, count: 32))))
    var lines = String(decoding: file, as: UTF8.self).split(separator: "\n").dropLast().map(String.init)
    lines[2] = lines[2].replacing(#""version":1"#, with: #""version":2"#)
    let mixed = try #require(
      SignedResult.signed(Array((lines.joined(separator: "\n") + "\n").utf8), by: mine, in: library))
    let problem = #expect(throws: SignedResult.Problem.self) {
      try SignedResult.content(of: mixed, expected: nil, in: library)
    }
    #expect(problem?.description.hasPrefix("line 3: ") == true, "\(problem?.description ?? "")")
    #expect(problem?.description.contains("version") == true)
  }

  @Test(
    "Runners that cannot have the figures of a result are found, and so is a policy that the program cannot have had"
  )
  func unlikelyRunners() throws {
    let library = try #require(ResultSignatures())
    let key = try #require(library.key(ResultSignatures.keyFile(seed: Array(repeating: 7, count: 32))))
    func content(_ text: String) throws -> SignedResult.Content {
      let signed = try #require(SignedResult.signed(Array(text.utf8), by: key, in: library))
      return try SignedResult.content(of: signed, expected: nil, in: library)
    }
    let text = String(decoding: bytes(try result("none", runners: 3)), as: UTF8.self)
    #expect(try content(text).isPolicyKnown)
    let more = text.replacing(#""runners":3"#, with: #""runners":1000"#).replacing(#","isTrialRun":true"#, with: "")
      .replacing(#""n":3}"#, with: #""n":1000}"#)
    let problem = #expect(throws: SignedResult.Problem.self) { try content(more) }
    #expect(problem?.description.contains("no 1000 runners have such a time") == true, "\(problem?.description ?? "")")
    let unknown = text.replacing(#""policy":"none""#, with: #""policy":"banana""#).replacing(
      #""arm":"none","isPolicy""#, with: #""arm":"banana","isPolicy""#)
    // This version has no such strategy, and another one may.
    let version = #""program":"\#(Program.version)""#
    for said in [unknown, unknown.replacing("," + version, with: "")] {
      let refused = #expect(throws: SignedResult.Problem.self) { try content(said) }
      #expect(
        refused?.description.hasPrefix(#"line 1: policy "banana": "#) == true, "\(refused?.description ?? "")")
      #expect(refused?.description.hasSuffix("has no such strategy") == true)
    }
    let later = try content(unknown.replacing(version, with: #""program":"99.1.0""#))
    #expect(!later.isPolicyKnown)
    #expect(later.program == "99.1.0")
  }

  @Test("Figures that do not follow from their cells, and other definitions, are found whoever signed them")
  func forged() throws {
    let library = try #require(ResultSignatures())
    let key = try #require(library.key(ResultSignatures.keyFile(seed: Array(repeating: 7, count: 32))))
    let text = String(decoding: bytes(try result("none", runners: 2)), as: UTF8.self)
    func problem(_ changed: String) throws -> SignedResult.Problem? {
      #expect(changed != text)
      let file = try #require(SignedResult.signed(Array(changed.utf8), by: key, in: library))
      return #expect(throws: SignedResult.Problem.self) {
        try SignedResult.content(of: file, expected: nil, in: library)
      }
    }
    let lines = text.split(separator: "\n")
    let fewer = (lines[..<5] + lines[6...]).joined(separator: "\n") + "\n"
    guard case .record(_, let reason) = try problem(fewer) else {
      Issue.record("a cell was taken out")
      return
    }
    #expect(reason == "26 cells: expected 27")
    guard case .otherDefinition = try problem(text.replacing(CueBenchmark.hash, with: "0000")) else {
      Issue.record("another definition")
      return
    }
    guard case .record(let line, _) = try problem(text.replacing(#""artefacts":"5 s""#, with: #""artefacts""#)) else {
      Issue.record("no JSON")
      return
    }
    #expect(line == 3)
  }

  /// What is changed in the text of a result, and what is said of it.
  private static let contradictions: [(line: Int, from: String, to: String, reason: String)] = [
    (0, #""seed":101"#, #""seed":5"#, "expected 101, that of the development seeds"),
    (0, #""seeds":"development""#, #""seeds":"final""#, "expected 1644175004641592, that of the final seeds"),
    (0, #""runners":3,"isTrialRun":true"#, #""runners":1000"#, "timeInTarget.n: expected a whole number in 1000…1000"),
    (0, #""isTrialRun":true,"#, "", "isTrialRun false with 3 runners: expected true"),
    (0, #""benchmark":"cues""#, #""benchmark":"hues""#, "benchmark: expected cues"),
    (0, #""number":1"#, #""number":2"#, "number 2: expected 1"),
    (0, #""secondsPerSession":1500"#, #""secondsPerSession":60"#, "secondsPerSession 60: expected 1500"),
    (0, #""seeds":"#, #""policyProgramSHA256":"00","seeds":"#, "a SHA-256"),
    (
      0, #""seeds":"#, #""policyProgramSHA256":"\#(String(repeating: "0", count: 64))","seeds":"#,
      "beside a policy that is no program"
    ),
    (0, #""policy":"none""#, #""policy":"exec:./none""#, "policyProgramSHA256: expected that of the program"),
    (0, #""seeds":"#, #""foo":1,"seeds":"#, "foo"),
    (1, #""activity":"walk""#, #""activity":"walk","foo":1"#, "foo"),
    (1, #""regret":{"#, #""regret":{"foo":1,"#, "foo"),
    (1, #""best":""#, #""best":"none","was":""#, "a word of the benchmark"),
    (1, #""bestCuesPerHour":"#, #""bestCuesPerHour":5"#, "bestCuesPerHour"),
    (28, #""isPolicy":true,"#, #""isPolicy":true,"foo":1,"#, "foo"),
    (30, #""worstCell":""#, #""worstCell":"x "#, "worstCell of moment:every=30: expected one of the cells"),
    (
      30, #""meanRegret":"#,
      #""meanRegret":{"mean":0.999,"confidence95":[0,1],"method":"student-t","n":3},"was":"#, "was"
    ),
    (30, #""meanRegret":"#, #""meanRegret":0.5,"was":"#, "meanRegret"),
    (1, #""cuesPerHour":"#, #""cuesPerHour":0,"was":"#, "cuesPerHour"),
    (1, #""version":2"#, #""version":1"#, "version"),
    (1, #""activity":"walk""#, #""activity":"swim""#, "a word of the benchmark"),
    (1, #""behaviour":"reflex""#, #""behaviour":"relapse:tau=90""#, "a cell stands there twice"),
    (1, #""n":3"#, #""n":4"#, "n"),
    (
      1, #""cuesPerHour":{"mean":0,"confidence95":[0,0]"#, #""cuesPerHour":{"mean":1,"confidence95":[0,2]"#,
      "do not follow from its cells: cuesPerHour"
    ),
    (1, #""best":""#, #""best":"best of "#, "a word of the benchmark"),
    (1, #""bestTimeInTarget":0."#, #""bestTimeInTarget":0.000"#, "regret"),
    (28, #""arm":"none""#, #""arm":"mine""#, "arm"),
    (28, #""isPolicy":true,"#, #""isPolicy":false,"#, "isPolicy"),
    (28, #""timeInTarget":{"mean":0."#, #""timeInTarget":{"mean":0.000"#, "timeInTarget"),
    (28, #""bestCuesPerHour":"#, #""bestCuesPerHour":1"#, "bestCuesPerHour"),
    (28, #""worstCell":"walk"#, #""worstCell":"run"#, "do not follow from its cells: worstCell"),
    (30, #""arm":"moment:every=30""#, #""arm":"moment:every=31""#, "arm"),
    (30, #""policyLead":{"mean":"#, #""policyLead":{"mean":0.5,"was":"#, "policyLead"),
  ]

  @Test("What contradicts the rest of a result is found whoever signed it", arguments: 0..<contradictions.count)
  func contradicting(_ index: Int) throws {
    let library = try #require(ResultSignatures())
    let key = try #require(library.key(ResultSignatures.keyFile(seed: Array(repeating: 7, count: 32))))
    let (line, from, to, reason) = Self.contradictions[index]
    var lines = String(decoding: bytes(try result("none", runners: 3)), as: UTF8.self).split(separator: "\n").map(
      String.init)
    let changed = lines[line].replacing(from, with: to, maxReplacements: 1)
    #expect(changed != lines[line], "\(lines[line])")
    lines[line] = changed
    let text = lines.joined(separator: "\n") + "\n"
    let file = try #require(SignedResult.signed(Array(text.utf8), by: key, in: library))
    let problem = #expect(throws: SignedResult.Problem.self) {
      try SignedResult.content(of: file, expected: nil, in: library)
    }
    #expect(problem?.description.contains(reason) == true, "\(problem?.description ?? "")")
  }

  @Test(
    "A mean of the policy with an interval that does not follow from its cells is found",
    arguments: ["meanRegret", "cuesPerHour"])
  func contradictingMeans(_ member: String) throws {
    let library = try #require(ResultSignatures())
    let key = try #require(library.key(ResultSignatures.keyFile(seed: Array(repeating: 7, count: 32))))
    var lines = String(decoding: bytes(try result("none", runners: 2)), as: UTF8.self).split(separator: "\n").map(
      String.init)
    let object = try Regex(#""\#(member)":\{[^}]*\}"#)
    let changed = lines[28].replacing(
      object, with: #""\#(member)":{"mean":0.0001,"confidence95":[-1,1],"method":"student-t","n":2}"#)
    #expect(changed != lines[28])
    lines[28] = changed
    let file = try #require(
      SignedResult.signed(Array((lines.joined(separator: "\n") + "\n").utf8), by: key, in: library))
    let problem = #expect(throws: SignedResult.Problem.self) {
      try SignedResult.content(of: file, expected: nil, in: library)
    }
    #expect(
      problem?.description.contains("do not follow from its cells: \(member)") == true,
      "\(problem?.description ?? "")")
  }

  @Test(
    "An arm that is no coach is the best one without a cue, and no arm has more regret on average than in its worst cell"
  )
  func contradictingArms() throws {
    let library = try #require(ResultSignatures())
    let key = try #require(library.key(ResultSignatures.keyFile(seed: Array(repeating: 7, count: 32))))
    let text = String(decoding: bytes(try result("trend:every=50,hold=0", runners: 2)), as: UTF8.self)
    func problem(_ changed: [String]) throws -> String {
      let signed = try #require(
        SignedResult.signed(Array((changed.joined(separator: "\n") + "\n").utf8), by: key, in: library))
      let problem = #expect(throws: SignedResult.Problem.self) {
        try SignedResult.content(of: signed, expected: nil, in: library)
      }
      return problem?.description ?? ""
    }
    let lines = text.split(separator: "\n").map(String.init)
    let cell = try #require(
      lines.indices.first { lines[$0].contains(#""best":""#) && !lines[$0].contains(#""bestCuesPerHour":0,"#) })
    var silent = lines
    silent[cell] = lines[cell].replacing(/"best":"[^"]*"/, with: #""best":"none""#)
    #expect(try problem(silent).contains("bestCuesPerHour"))
    var worse = lines
    worse[30] = lines[30].replacing(
      /"meanRegret":\{[^}]*\}/,
      with: #""meanRegret":{"mean":0.999,"confidence95":[0,1],"method":"student-t","n":2}"#)
    #expect(try problem(worse).contains("contradict each other: meanRegret"))
  }

  @Test(
    "One arm is the policy, also where it is a reference by its name", arguments: ["none", "trend:every=30,hold=0"])
  func onePolicy(_ text: String) throws {
    let lines = String(decoding: bytes(try result(text, runners: 2)), as: UTF8.self).split(separator: "\n")
    let arms = lines.filter { $0.contains(#""type":"benchmarkArm""#) }
    #expect(arms.count == CueBenchmark.references.count + 1)
    #expect(arms.filter { $0.contains(#""isPolicy":true"#) } == [arms[0]])
    #expect(arms.dropFirst().allSatisfy { $0.contains(#""policyLead":"#) })
  }

  @Test("People of a file have cells of their own, which change no figure of the benchmark")
  func fitted() throws {
    let json =
      #"{"version":1,"type":"runnerPopulation","activity":"run","model":{"timeConstantSeconds":{"value":40,"spread":0,"source":"me"}}}"#
    let population = try FittedPopulation(json: Array(json.utf8).span)
    let run = CueBenchmarkRun(
      "none", .none, .development, runners: 2, fitted: (population: population, hash: "abc"))
    let with = try #require(try run.run(threads: 1, only: 11..<13) { _ in true })
    let without = try result("none", runners: 2, only: 11..<12)
    #expect(with.cells.count { $0.isFitted } == 27)
    #expect(with.cells.count { !$0.isFitted } == 27)
    #expect(with.policy == without.policy)
    #expect(Array(with.cells.prefix(27)) == without.cells)
  }

  @Test("A signed result has the cells of people of a file exactly where it names one")
  func fittedCells() throws {
    let library = try #require(ResultSignatures())
    let key = try #require(library.key(ResultSignatures.keyFile(seed: Array(repeating: 7, count: 32))))
    func content(_ lines: [String]) throws -> SignedResult.Content {
      let text = lines.map { $0 + "\n" }.joined()
      let signed = try #require(SignedResult.signed(Array(text.utf8), by: key, in: library))
      return try SignedResult.content(of: signed, expected: nil, in: library)
    }
    func words(_ lines: [String]) -> String {
      let problem = #expect(throws: SignedResult.Problem.self) { try content(lines) }
      return problem?.description ?? ""
    }
    let json =
      #"{"version":1,"type":"runnerPopulation","activity":"run","model":{"timeConstantSeconds":{"value":40,"spread":0,"source":"me"}}}"#
    let population = try FittedPopulation(json: Array(json.utf8).span)
    let hash = String(repeating: "0a", count: 32)
    let run = CueBenchmarkRun(
      "none", .none, .development, runners: 2, fitted: (population: population, hash: hash))
    let result = try #require(try run.run(threads: 1, only: 11..<13) { _ in true })
    let lines = String(decoding: bytes(result), as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(try content(lines).runnerModelHash == hash)
    let without = lines.filter { !$0.contains(#""isFitted":true"#) }
    #expect(without.count == lines.count - 27)
    #expect(words(without).contains("0 cells of people of a file: expected 27, since runnerModelSHA256 names one"))
    let unnamed = lines.map { $0.replacing(#""runnerModelSHA256":"\#(hash)","#, with: "") }
    #expect(unnamed != lines)
    #expect(words(unnamed).contains("27 cells of people of a file: expected 0 without runnerModelSHA256"))
    let neither = without.map { $0.replacing(#""runnerModelSHA256":"\#(hash)","#, with: "") }
    #expect(try content(neither).runnerModelHash == nil)
    // One of them twice in place of another.
    var twice = lines
    let places = lines.indices.filter { lines[$0].contains(#""isFitted":true"#) }
    twice[places[1]] = twice[places[0]]
    #expect(words(twice).contains("cells of people of a file: expected each once, of one activity"))
    let short = lines.map { $0.replacing(hash, with: "abc") }
    #expect(words(short).contains("runnerModelSHA256: expected a SHA-256"))
  }

  @Test("Who stops it gets nothing")
  func stopped() throws {
    let run = CueBenchmarkRun("none", .none, .development, runners: 2)
    #expect(try run.run(threads: 1, only: 0..<1) { _ in false } == nil)
  }
}
