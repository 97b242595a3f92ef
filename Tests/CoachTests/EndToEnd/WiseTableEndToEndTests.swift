import Foundation
import TestSupport
import Testing

/// `docs/wise-table-2.md` is read: its sentences have to follow from its tables, and its tables from the program.
@Suite("The program: the page of the Wise table")
struct WiseTableEndToEndTests {
  /// A difference with its interval, in percentage points.
  private struct Difference {
    let mean: Double
    let lower: Double
    let upper: Double

    init(_ cell: String) throws {
      let numbers = DocumentPage.numbers(cell)
      try #require(numbers.count == 3, "\(cell)")
      (mean, lower, upper) = (numbers[0], numbers[1], numbers[2])
    }

    /// Which way it goes; 0 where the interval includes none.
    var sign: Int { lower > 0 ? 1 : upper < 0 ? -1 : 0 }
  }

  /// A row of a table of equal length.
  private struct Row {
    let activity: String
    let population: String
    let behaviour: String
    let shares: [Double]
    /// Its differences, period less moment, in the order of the columns.
    let differences: [Difference]

    var anticipates: Bool { behaviour.contains("anticipate") }
    var isVisible: Bool { behaviour == "visible" }
    var hasShortArtefacts: Bool { behaviour == "reflex:artifact=0.1" }
  }

  private let page: DocumentPage
  private let walking: [Row]
  private let running: [Row]

  init() throws {
    page = try DocumentPage("docs/wise-table-2.md")
    walking = try Self.rows(of: "Walking, 1,390 s", activity: "walk", in: page)
    running = try Self.rows(of: "Running, 1,494 s", activity: "run", in: page)
  }

  private static func table(_ heading: String, in page: DocumentPage) throws -> DocumentPage.Table {
    try #require(page.tables.first { $0.heading == heading }, "\(heading)")
  }

  private static func rows(of heading: String, activity: String, in page: DocumentPage) throws -> [Row] {
    var behaviour = ""
    return try table(heading, in: page).rows.map { cells in
      if !cells[0].isEmpty { behaviour = cells[0].replacing("`", with: "") }
      return Row(
        activity: activity, population: cells[1].replacing("`", with: ""), behaviour: behaviour,
        shares: cells[2..<5].compactMap { Double($0) }, differences: try cells[5...].map { try Difference($0) })
    }
  }

  /// The least and the largest size of some differences, as the sentences have them.
  private func span(_ rows: [Row], _ column: Int, decimals: Int = 1) throws -> String {
    let sizes = rows.map { $0.differences[column].mean.magnitude }
    let (least, most) = (try #require(sizes.min()), try #require(sizes.max()))
    return String(format: "%.\(decimals)f to %.\(decimals)f", least, most)
  }

  private func expectSentence(_ words: String, at location: SourceLocation = #_sourceLocation) {
    #expect(page.text.contains(words), "the page does not say: \(words)", sourceLocation: location)
  }

  @Test("A difference is that of its two arms, and lies in its interval; every behaviour is there for both populations")
  func differences() throws {
    let study = try #require(
      try JSONSerialization.jsonObject(
        with: Data(contentsOf: URL(fileURLWithPath: DocumentPage.path("studies/equal-length.json"))))
        as? [String: Any])
    let behaviours = try #require(study["behaviours"] as? [String]).filter { !$0.contains("unforeseen") }
    for rows in [walking, running] {
      #expect(rows.map(\.behaviour) == behaviours.flatMap { [$0, $0] })
      #expect(rows.map(\.population) == behaviours.flatMap { _ in ["wise", "hunt"] })
      for row in rows {
        try #require(row.shares.count == 3, "\(row)")
        // Three figures are rounded.
        #expect(abs(row.shares[2] - row.shares[1] - row.differences[0].mean) < 0.151, "\(row)")
        for difference in row.differences {
          #expect(difference.lower <= difference.mean, "\(row)")
          #expect(difference.mean <= difference.upper, "\(row)")
        }
      }
    }
    let courses = try #require(study["courses"] as? [[String: Any]])
    for course in courses {
      let arms = try #require(course["arms"] as? [[String: Any]])
      #expect(arms.allSatisfy { $0["seconds"] == nil }, "all arms of a course are of its length")
    }
    #expect(courses.compactMap { $0["seconds"] as? Int } == [1_390, 1_494, 1_390, 1_494])
  }

  @Test("At one length period is behind moment in walking, by as much as the page says first")
  func walkingOrder() throws {
    let following = walking.filter { $0.population == "wise" && !$0.anticipates }
    let behind = following.filter { !$0.hasShortArtefacts }
    #expect(behind.count == 5)
    for row in behind { #expect(row.differences[0].sign == -1, "\(row)") }
    for row in following { #expect(row.differences[1].sign == -1, "\(row)") }
    let each = try span(following, 1)
    let twoMinutes = try span(behind, 0)
    expectSentence("by \(twoMinutes) points (`reflex`: −1.3 [−1.5, −1.0])")
    expectSentence("where both judge each minute by \(each) (`reflex`: −5.1 [−5.4, −4.8])")
    let reflex = try #require(following.first)
    #expect(reflex.differences[0].mean == -1.3)
    #expect(reflex.differences[1].mean == -5.1)
    let hunt = walking.filter { $0.population == "hunt" && !$0.anticipates }
    func most(_ column: Int) throws -> Double { try #require(hunt.map { -$0.differences[column].mean }.max()) }
    expectSentence(
      "it is behind by \(twoMinutes) points in walking, every two minutes (`wise`; up to \(try most(0)) in `hunt`)")
    expectSentence(
      "Where both judge each minute it is behind by \(each) points in `wise` and by up to \(try most(1)) in `hunt`.")
    let short = try #require(following.first { $0.hasShortArtefacts })
    expectSentence("(\(DocumentPage.signed(short.differences[0].mean)) in `wise`, nothing found in `hunt`)")
    #expect(hunt.first { $0.hasShortArtefacts }?.differences[0].sign == 0)
  }

  @Test(
    "In running the frequency decides, as the page says, and anticipation is what gives differences of the paper's size"
  )
  func runningOrder() throws {
    let following = running.filter { !$0.anticipates }
    let ahead = following.filter { !$0.isVisible }
    for row in ahead { #expect(row.differences[0].sign == 1, "\(row)") }
    let visible = following.filter(\.isVisible).map { DocumentPage.signed($0.differences[0].mean) }
    expectSentence(
      "every two minutes by \(try span(ahead, 0)) points but for a visible heart rate (\(visible.joined(separator: ", ")))"
    )
    for row in following { for column in [1, 2] { #expect(row.differences[column].mean < 0, "\(row)") } }
    let least = try #require(following.flatMap { [$0.differences[1].mean, $0.differences[2].mean] }.max())
    let most = try #require(following.flatMap { [$0.differences[1].mean, $0.differences[2].mean] }.min())
    expectSentence("for at one frequency it is behind by \(-least) to \(-most) in both.")
    let working = { (rows: [Row]) in rows.filter { $0.behaviour.contains("rho=1") } }
    expectSentence(
      "the differences are \(try span(working(walking), 0, decimals: 0)) points walking and "
        + "\(try span(working(running), 0, decimals: 0)) running in both populations")
    for row in walking + running where row.differences.contains(where: { $0.mean > 9 }) {
      #expect(row.anticipates, "by more than 9 points period is ahead only where people work for the checks: \(row)")
    }
  }

  @Test("What flips between the two populations is what the page lists, and nothing else")
  func flips() throws {
    var flips: [(column: Int, wise: Row, hunt: Row)] = []
    for rows in [walking, running] {
      for pair in stride(from: 0, to: rows.count, by: 2) {
        let (wise, hunt) = (rows[pair], rows[pair + 1])
        for column in wise.differences.indices
        where wise.differences[column].sign * hunt.differences[column].sign < 0 {
          flips.append((column, wise, hunt))
        }
      }
    }
    #expect(flips.allSatisfy { $0.wise.activity == "walk" })
    #expect(flips.allSatisfy { $0.column == 1 })
    #expect(flips.allSatisfy { $0.wise.differences[1].sign == -1 })
    #expect(
      flips.map(\.wise.behaviour) == [
        "anticipate:rho=1,lead=45", "visible+anticipate:rho=spread,lead=45", "visible+anticipate:rho=1,lead=45",
      ])
    expectSentence(
      "behind by \(try span(flips.map(\.wise), 1)) points in `wise`, ahead by \(try span(flips.map(\.hunt), 1)) in `hunt`"
    )
  }

  @Test(
    "In the paper's lengths people are counted only where a difference was found, and chance is said as the table has it"
  )
  func paperLengths() throws {
    var chance: [String] = []
    for heading in [
      "Walking: none 3,842 s, moment 1,129 s, period 1,390 s", "Running: none 1,787 s, moment 1,275 s, period 1,494 s",
    ] {
      let table = try Self.table(heading, in: page)
      let single = try #require(table.column("single sessions"))
      let people = try #require(table.column("people"))
      for row in table.rows {
        let difference = try Difference(row[single])
        guard difference.sign != 0 else {
          #expect(row[people] == "no difference found", "\(row)")
          continue
        }
        let counts = DocumentPage.numbers(row[people].replacing("–", with: " "))
        try #require(counts.count == 3, "\(row)")
        #expect(counts[1] < counts[0], "\(row)")
        #expect(counts[0] < counts[2], "\(row)")
      }
      let gap = try #require(table.column("gap, no difference"))
      chance.append("\(Int(try #require(table.rows.compactMap { DocumentPage.numbers($0[gap]).first }.max())))")
    }
    expectSentence("a gap as large as the paper's in up to \(chance[0]) % walking and \(chance[1]) % running")
    let walk = try Self.table("Walking: none 3,842 s, moment 1,129 s, period 1,390 s", in: page)
    let reflex = try #require(walk.rows.first { $0[0] == "`reflex`" })
    expectSentence("under `reflex` (\(reflex[3]) against \(reflex[2])), where it is behind by 1.3 at one length")
    let shares = (try #require(Double(reflex[3])), try #require(Double(reflex[2])))
    expectSentence("had *period* ahead by \(String(format: "%.1f", shares.0 - shares.1)) points")
  }

  @Test("What checks do that cannot be foreseen is said as the table has it")
  func unforeseen() throws {
    let table = try Self.table("Checks that cannot be foreseen", in: page)
    var (gait, behaviour) = ("", "")
    var (always, never, follow): ([Double], [Double], [Double]) = ([], [], [])
    for row in table.rows {
      if !row[0].isEmpty { (gait, behaviour) = (row[0], row[1]) }
      let difference = try Difference(row[5])
      let shares = (try #require(Double(row[3])), try #require(Double(row[4])))
      #expect(abs(shares.1 - shares.0 - difference.mean) < 0.151, "\(gait) \(behaviour) \(row)")
      if behaviour.contains("never") {
        never.append(-difference.mean)
      } else if behaviour.contains("anticipate") {
        always.append(difference.mean)
      } else {
        follow.append(-difference.mean)
      }
    }
    func whole(_ values: [Double]) throws -> String {
      String(format: "%.0f to %.0f", try #require(values.min()), try #require(values.max()))
    }
    expectSentence(
      "With ρ = 1 they win \(try whole(always)) points if people then work always, and cost \(try whole(never)) if they give up."
    )
    expectSentence("up to \(try #require(follow.max())) points.")
  }

  // MARK: - By the program

  @Test("Who the runners are is what the program says of them")
  func population() throws {
    let outcome = try CoachProgram().run([
      "study", "population", DocumentPage.path("studies/equal-length.json"), "--runners",
      "20000", "--format", "text",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let parts = outcome.output.components(separatedBy: "\n\n")
    let rows = try Self.table("Who the runners are", in: page).rows
    try #require(parts.count == rows.count)
    for (row, name) in zip(rows, ["walk", "walk (hunt)", "run", "run (hunt)"]) {
      let part = try #require(parts.first { $0.hasPrefix(name + "\n") }, "\(name)")
      func numbers(_ line: String) throws -> [Double] {
        DocumentPage.numbers(
          String(
            try #require(part.split(separator: "\n").first { $0.contains(line) }, "\(name): \(line)")
              .drop { !$0.isNumber }))
      }
      let speeds = try numbers("preferred speed").suffix(5)
      #expect(DocumentPage.numbers(row[1]) == Array(speeds), "\(row)")
      // Where nobody is at an end, nothing stands.
      let ends = try numbers("slowest speed").prefix(1) + numbers("fastest speed").prefix(1)
      #expect(DocumentPage.numbers(row[2]) == Array(ends), "\(row)")
      #expect(DocumentPage.numbers(row[3]) == Array(try numbers("gain, bpm/(m/s)").prefix(2)), "\(row)")
      #expect(DocumentPage.numbers(row[4]) == Array(try numbers("time constant").prefix(2)), "\(row)")
    }
    let run = try #require(parts.first { $0.hasPrefix("run\n") })
    let slow = try #require(run.firstMatch(of: #/([\d.]+) % below 134 m/min/#))
    expectSentence("\(slow.1) % of them prefer less than 134 m/min")
  }

  @Test("The first row of walking, in both populations, is what the study gives with as many runners")
  func reflex() throws {
    let program = try CoachProgram()
    let source = URL(fileURLWithPath: DocumentPage.path("studies/equal-length.json"))
    var study = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: source)) as? [String: Any])
    let names = ["none", "moment 2 min", "period 2 min over 1 min"]
    study["behaviours"] = ["reflex"]
    study["courses"] = try #require(study["courses"] as? [[String: Any]]).filter { $0["activity"] as? String == "walk" }
      .map { course in
        var course = course
        course["arms"] = (course["arms"] as? [[String: Any]])?.filter { names.contains($0["name"] as? String ?? "") }
        course["contrasts"] = [[names[2], names[1]]]
        course["observed"] = nil
        return course
      }
    let text = String(decoding: try JSONSerialization.data(withJSONObject: study), as: UTF8.self)
    let outcome = try program.run([
      "study", try program.folder.write(text, to: "study.json"), "--runners", "4000", "--format", "jsonl",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let rows = walking.filter { $0.behaviour == "reflex" }
    try #require(outcome.lines.count == rows.count)
    var treadmill: [String] = []
    for (line, row) in zip(outcome.lines, rows) {
      let record = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let arms = try #require(record["arms"] as? [[String: Any]])
      func percent(_ share: Double) -> Double { (share * 1_000).rounded() / 10 }
      let shares = arms.compactMap { ($0["timeInTarget"] as? [String: Any])?["mean"] as? Double }.map(percent)
      #expect(shares == row.shares, "\(row)")
      let contrast = try #require((record["contrasts"] as? [[String: Any]])?.first)
      #expect(percent(try #require(contrast["meanDifference"] as? Double)) == row.differences[0].mean, "\(row)")
      let interval = try #require(contrast["confidence95"] as? [Double]).map(percent)
      #expect(interval == [row.differences[0].lower, row.differences[0].upper], "\(row)")
      let driven = try #require((record["limit"] as? [String: Any])?["drivenTreadmill"] as? Double)
      treadmill.append("\(percent(driven)) %")
    }
    expectSentence("reaches \(treadmill[0]) of these 1,390 s in `wise` and \(treadmill[1]) in `hunt`")
  }
}
