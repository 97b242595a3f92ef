import StrategyStudy
import Testing
import WorkoutSession

@Suite("Tables of decision points")
struct TrialTableTests {
  private static let head =
    "protocol_sha256,participant,session,activity,behaviour,arm,point,at_s,available,cue,probability,action,"
    + "seconds_since_cue,seconds_off_target,beats_off_target,seconds_in_target_60,covered_seconds_60"
  private static let whose = #"p,anna,"run, one",running,person,runner"#
  /// A point without a cue and a heart rate, and one with both.
  private static let table = [
    head, whose + ",1,30,0,warmUp,0,0,,14,,,", whose + ",2,190,1,speedUp,0.6,1,30,39,-10,26.5,60",
  ]

  private func rows(_ text: String, withOutcome seconds: Int = 60) throws -> [TrialRow] {
    try TrialTable.rows(of: Array(text.utf8), path: "points.csv", withOutcome: seconds)
  }

  private func problem(_ text: String, withOutcome seconds: Int = 60) -> String? {
    let error = #expect(throws: TrialTable.Problem.self) { try rows(text, withOutcome: seconds) }
    return error?.description
  }

  private func text(_ lines: [String], end: String = "\n") -> String { lines.map { $0 + end }.joined() }

  @Test("Are the same however their lines end", arguments: ["\n", "\r\n", "\r"])
  func ends(end: String) throws {
    let whole = try rows(text(Self.table))
    #expect(whole.count == 2)
    #expect(whole.map(\.session) == ["run, one", "run, one"])
    #expect(whole.map(\.beatsOffTarget) == [nil, -10])
    #expect(try rows(text(Self.table, end: end)) == whole)
    // The last line may lack its end.
    #expect(try rows(String(text(Self.table, end: end).unicodeScalars.dropLast(end.unicodeScalars.count))) == whole)
  }

  @Test("What ends lines ends none in a name, and what is wrong behind it is on its line of the file")
  func endInName() throws {
    for end in ["\n", "\r\n", "\r"] {
      for name in ["run\rone", "run\none", "run\r\none", "\n", #"a ""b"",\#("\n")c"#] {
        let named = text(Self.table.map { $0.replacing("run, one", with: name) }, end: end)
        let sessions = try rows(named).map(\.session)
        let plain = name.replacing(#""""#, with: #"""#)
        #expect(sessions == [plain, plain], "\(name.debugDescription)")
      }
    }
    let wrong = text(Self.table).replacing("run, one", with: "run\none").replacing(",2,190,1,", with: ",0,190,1,")
    #expect(problem(wrong)?.hasPrefix("points.csv: line 4: point: ") == true)
    let open = text(Self.table).replacing(#"one",running,person,runner,2"#, with: "one,running,person,runner,2")
    #expect(problem(open) == "points.csv: line 3: expected a closing quote")
  }

  @Test("A table that was written is read again, whatever stands in its names")
  func writtenAgain() throws {
    for name in ["moment\nevery minute", "a\r\nb", #"say ""now"", then"#, ""] {
      let named = try rows(text(Self.table.map { $0.replacing("run, one", with: name) }))
      let written = String(decoding: TrialTable.csv(named, outcomeSeconds: [60]), as: UTF8.self)
      #expect(try rows(written) == named, "\(name.debugDescription)")
    }
  }

  @Test(
    "Are the same when Python or R has written them again",
    arguments: [
      [",1,30.0,0,warmUp,0.0,0,,14.0,,,", ",2,190.0,1,speedUp,0.6,1,30.0,39.0,-10.0,26.5,60.0"],
      [",1.0,30,0.0,warmUp,0,0.0,NA,14,NA,NA,NA", ",2.0,190,1.0,speedUp,0.6,1.0,30,39,-1e1,26.5,60"],
      [#",1,30,0,"warmUp",0,0,NaN,14,nan,NaN,NaN"#, #",2,190,1,"speedUp",0.6,1,30,39,-10,26.5,6e+01"#],
    ])
  func otherPrograms(lines: [String]) throws {
    #expect(try rows(text([Self.head] + lines.map { Self.whose + $0 })) == rows(text(Self.table)))
  }

  @Test("A value that cannot be is refused by the name of its column")
  func columns() {
    let columns = Self.head.split(separator: ",").map(String.init)
    for (column, value, words) in [
      ("point", "0", "expected the number of a decision point, found '0'"),
      ("point", "1.5", "expected the number of a decision point, found '1.5'"),
      ("at_s", "", "expected seconds of a decision point, found nothing"),
      ("at_s", "NA", "expected seconds of a decision point, found 'NA'"),
      ("available", "2", "expected 0 or 1 of a decision point, found '2'"),
      ("probability", "nan", "expected the probability of a decision point, found 'nan'"),
      ("probability", "1", "expected the probability of a decision point, found '1'"),
      ("action", "", "expected 0 or 1 of a decision point, found nothing"),
      ("seconds_since_cue", "-1", "expected seconds of a decision point, found '-1'"),
      ("seconds_off_target", "inf", "expected seconds of a decision point, found 'inf'"),
      ("beats_off_target", "-10.5", "expected whole beats of a decision point or nothing, found '-10.5'"),
      ("beats_off_target", "1e308", "expected whole beats of a decision point or nothing, found '1e308'"),
      ("seconds_in_target_60", "61", "expected seconds within those that are covered, of 0 to 60"),
      ("covered_seconds_60", "NA", ""),
    ] {
      // The session has a comma in its name.
      var cells = Self.table[2].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard let place = columns.firstIndex(of: column) else { continue }
      cells[place + 1] = value
      let said = problem(text([Self.table[0], Self.table[1], cells.joined(separator: ",")]))
      // Of an outcome its first column is named.
      let named = words.isEmpty ? "seconds_in_target_60: expected" : "\(column): \(words)"
      #expect(said?.hasPrefix("points.csv: line 3: \(named)") == true, "\(column) \(value): \(said ?? "")")
    }
    let given = text(Self.table).replacing("warmUp,0,0", with: "warmUp,0,1")
    #expect(
      problem(given)
        == "points.csv: line 2: action: expected 0 of a decision point at which no cue was available, found '1'")
  }

  @Test("The columns of the outcome that is analysed have to be there")
  func outcome() throws {
    #expect(
      problem(text(Self.table), withOutcome: 120)
        == "points.csv: line 1: no seconds_in_target_120 with covered_seconds_120 behind it: expected the columns of the "
        + "outcome that is analysed")
    let without = text(Self.table).replacing("covered_seconds_60", with: "covered")
    #expect(problem(without)?.hasPrefix("points.csv: line 1: no seconds_in_target_60 with ") == true)
    #expect(try rows(Self.table[0]) == [])
    #expect(problem("")?.hasPrefix("points.csv: line 1: expected the columns") == true)
  }

  @Test("Too few people are said with the points that do not count, and how many the protocol needs")
  func tooFewPeople() throws {
    let json =
      #"{"version":1,"type":"microRandomizedTrial","name":"pilot","probability":{"constant":0.6},"outcomeSeconds":[60],"#
      + #""controls":["secondsOffTarget","point"],"moderators":["beatsOffTarget"],"seed":7}"#
    let trial = try TrialProtocol(json: Array(json.utf8).span)
    func words(_ lines: [String]) throws -> String {
      let rows = try rows(
        text([Self.head] + ["anna", "ben", "cleo"].flatMap { name in lines.map { $0.replacing("anna", with: name) } }))
      let error = #expect(throws: TrialAnalysis.Problem.self) {
        try TrialAnalysis(rows, trial, outcomeSeconds: nil, moderators: nil)
      }
      return error?.description ?? ""
    }
    let lines = Array(Self.table.dropFirst())
    #expect(
      try words(lines)
        == "3 people with a point that counts (3 unavailable, 0 incomplete): expected at least 6")
    #expect(
      try words(lines.map { $0.replacing(",26.5,60", with: ",,") })
        == "0 people with a point that counts (3 unavailable, 3 incomplete): expected at least 6")
  }
}
