import Foundation
import TestSupport
import Testing
import ZoneEngine

@Suite("The page of evidence")
struct EvidenceDocumentTests {
  private let page: DocumentPage

  init() throws { page = try DocumentPage("docs/evidence.md") }

  private func expectSentence(_ words: String, at location: SourceLocation = #_sourceLocation) {
    #expect(page.text.contains(words), "the page does not say: \(words)", sourceLocation: location)
  }

  /// The rows of formulas for the maximum, by their names.
  private func formulaRows() throws -> (table: DocumentPage.Table, byName: [String: [String]]) {
    let table = try #require(page.tables.first { $0.head.contains("formula") })
    let rows = table.rows.map { ($0[0].split(separator: "`").first.map(String.init) ?? "", $0) }
    return (table, Dictionary(rows) { first, _ in first })
  }

  @Test("has every formula for the maximum heart rate, with whom it is of and how wrong it is")
  func formulas() throws {
    let table = try formulaRows().table
    let population = try #require(table.column("population"))
    let names = table.rows.map { $0[0].split(separator: "`").first.map(String.init) ?? "" }
    #expect(names == MaximumHeartRateFormula.allCases.map(\.rawValue))
    for row in table.rows { #expect(!row[population].isEmpty, "\(row[0])") }
  }

  @Test("has an error figure for every formula, or the words that there is none")
  func errors() throws {
    var count = 0
    for table in page.tables {
      guard let column = table.column("error of one person") else { continue }
      for row in table.rows {
        try #require(row.count == table.head.count, "\(row)")
        let isSaid =
          row[column].contains("none found") || row[column].contains("no error figure")
          || row[column].contains(where: \.isNumber)
        #expect(isSaid, "\(row[0]): \(row[column])")
        count += 1
      }
    }
    #expect(count >= MaximumHeartRateFormula.allCases.count + 10)
  }

  @Test("says of whom Inbar and Miller are, and that the formula of Miller is quoted without its group")
  func populations() throws {
    let (table, rows) = try formulaRows()
    let population = try #require(table.column("population"))
    #expect(try #require(rows["inbar"])[population] == "1,424 healthy men, age 20–70")
    #expect(try #require(rows["miller"])[population] == "51 adults of normal weight and 86 obese ones")
    expectSentence("217 − 0.85·age is quoted from the paper without its group: not verified")
  }

  @Test("has the numbers of every straight formula, and of the quadratic one, that the program computes with")
  func computed() throws {
    let (table, rows) = try formulaRows()
    let column = try #require(table.column("formula"))
    for formula in MaximumHeartRateFormula.allCases {
      let cell = try #require(rows[formula.rawValue], "\(formula)")[column]
      let numbers = DocumentPage.numbers(cell.replacing("− ", with: "−").replacing("²", with: "^"))
      for age in [25, 40, 65] {
        let years = Double(age)
        let expected: [Double]
        switch formula {
        case .fox, .tanaka, .gellish, .nes, .gulati, .inbar, .miller:
          // 220 − age has no factor.
          expected = [numbers[0] + (numbers.count > 1 ? numbers[1] : -1) * years]
        case .gellishQuadratic: expected = [numbers[0] + numbers[1] * years * years]
        case .sydo: expected = [numbers[0] + numbers[1] * years, numbers[2] + numbers[3] * years]
        case .zhu: expected = [numbers[0] + numbers[1] * years + numbers[2] * years * years]
        }
        let people: [Sex] = formula == .sydo ? [.male, .female] : [.female]
        for (sex, other) in zip(people, expected) {
          let computed = try formula.thousandths(ageYears: age, sex: sex)
          #expect(computed == Int((other * 1_000).rounded()), "\(formula) at \(age), \(sex)")
        }
      }
    }
    expectSentence("192 is how the formula is mostly quoted, 191.5 how some quote it")
    expectSentence("so that it is not verified which of them the paper has")
  }

  @Test("has the time constant of trend as the strategy has it, which is Hunt's in whole seconds; Hunt's 24 were men")
  func hunt() throws {
    let trend = try #require(StrategyDescription.all.first { $0.kind == "trend" })
    let tau = try #require(trend.parameters.first { $0.key == "tau" }).defaultValue
    #expect(tau == 57.6.rounded())
    expectSentence("with τ = `tau`, \(Int(tau)) s: the 57.6 ± 23.6 s of 24 men on a treadmill")
    for name in ["evidence", "wise-table-2", "formats"] {
      let text = try DocumentPage("docs/\(name).md").text
      let people = text.matches(
        of: #/\b24 (men|women|people|runners|adults|persons|volunteers|participants|subjects)\b/#)
      #expect(!people.isEmpty, "\(name)")
      for found in people { #expect(found.1 == "men", "\(name): \(found.0)") }
    }
  }

  @Test("gives the 2 bpm that are left of a model to Wang & Hunt, and calls the step of a cue an assumption")
  func sources() throws {
    expectSentence(
      "about 2 bpm are left of a heart rate when a model of its response is taken off (2.07 and 2.27 bpm; Wang & Hunt 2021,"
    )
    let wise = try DocumentPage("docs/wise-table-2.md")
    #expect(
      wise.text.contains(
        "or as assumptions; that of a cue's step, 10 ± 4 % of the speed, is one, though runners miss a prescribed pace by "
          + "about as much (Green 2010"), "the pacing error of Green is no source of a cue's step")
    for name in ["wise-table-2", "equal-length", "arms"] {
      let file = URL(fileURLWithPath: DocumentPage.path("studies/\(name).json"))
      let study = try #require(
        try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any], "\(name)")
      for course in try #require(study["courses"] as? [[String: Any]]) {
        let model = try #require(course["model"] as? [String: Any])
        let step = try #require(model["stepShare"] as? [String: Any])
        #expect(step["source"] == nil, "\(name)")
        #expect(step["assumption"] is String, "\(name)")
      }
    }
  }

  @Test("does not call the best arm the same in all 22 cells, and its differences are those of its figures")
  func cells() throws {
    expectSentence("to the digit shown, in 21 of the 22 cells.")
    #expect(!page.text.contains("each of 22 cells"))
    #expect(!page.text.contains("in all of the 22 cells"))
    let table = try #require(page.tables.first { $0.head.last == "beats it" })
    let (own, best) = (try #require(table.column("adaptive")), try #require(table.column("best other")))
    let difference = try #require(table.column("difference"))
    for row in table.rows {
      let shares = (try #require(Double(row[own])), try #require(Double(row[best + 1])))
      let stated = try #require(DocumentPage.numbers(row[difference]).first)
      #expect(abs(shares.0 - shares.1 - stated) < 0.151, "\(row)")
    }
    let walk = try #require(table.rows.first { $0[1].contains("artifactSeconds=60") })
    #expect(walk[0] == "walk")
    expectSentence(
      "the best other arm is `moment:every=45`, 58.2 % with 37.6 cues an hour, and not `moment:every=30` of the table")
    let against = try #require(Double(walk[own])) - 58.2
    expectSentence(
      "the difference is \(String(format: "%.1f", against)) points then instead of "
        + "\(try #require(DocumentPage.numbers(walk[difference]).first))")
  }
}
