package import StrategyStudy
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// The page of a study: what was simulated, what came out, how sure that is, and what it does not show.
package struct StudyPage {
  private let results: [StudyResult]
  private let exampleRunners: Int
  private let switches: StudySwitches

  /// The page of the results of one study, with the sessions of its first runners as examples.
  ///
  /// - Precondition: there is a result.
  package init(_ results: [StudyResult], exampleRunners: Int) {
    precondition(!results.isEmpty, "a study has results")
    self.results = results
    self.exampleRunners = exampleRunners
    switches = StudySwitches(results[0].study)
  }

  /// The page in UTF-8: HTML that is well-formed XML too, the same bytes for the same study.
  package var bytes: [UInt8] {
    Page.bytes(
      title: study.name ?? "Study of strategies", header: header, patterns: [], script: .study(records: records)
    ) { main in
      for part in parts {
        main.section(part.id, part.heading, shownWith: part.shownWith, part.write)
        if part.id == "summary" { switches.write(to: &main) }
      }
    }
  }

  /// The records of the results, one a line, as `coach study --format jsonl` prints them.
  private var records: [UInt8] {
    var writer = JSONWriter()
    for result in results {
      StudyRecords.write(result, traces: [], to: &writer)
      writer.endLine()
    }
    return writer.bytes
  }

  private var study: Study { results[0].study }

  private struct Part {
    let id: String
    let heading: String
    /// The arms and behaviours that it is of; none where it is always there.
    var shownWith: Markup.Attributes = [:]
    let write: (inout Markup) -> Void
  }

  private var parts: [Part] {
    var parts = [Part(id: "summary", heading: "What was studied", write: writeSummary)]
    if results.count > 1 {
      let (arms, behaviours) = (1...max(1, switches.arms.count), 1...max(1, switches.behaviours.count))
      parts.append(
        Part(
          id: "overview", heading: "All results",
          shownWith: [
            .dataAnyArms: StudySwitches.any(of: arms.map { "\($0)" }),
            .dataAnyBehaviours: StudySwitches.any(of: behaviours.map { "\($0)" }),
          ], write: writeOverview))
    }
    for (index, result) in results.enumerated() {
      let part = StudyResultPart(result: result, id: Self.id(index), exampleRunners: exampleRunners, switches: switches)
      parts.append(
        Part(
          id: Self.id(index), heading: part.heading,
          shownWith: [.dataBehaviour: Self.number(of: result), .dataAnyArms: part.arms]
        ) { part.write(to: &$0) })
    }
    parts += [
      Part(id: "assumptions", heading: "What it assumes") { StudyMethod.writeAssumptions(of: study, to: &$0) },
      Part(id: "limits", heading: "What it does not show") { StudyMethod.writeLimits(to: &$0) },
      Part(id: "method", heading: "How it was computed") { StudyMethod.write(of: study, to: &$0) },
    ]
    return parts
  }

  private static func id(_ result: Int) -> String { "result-\(result + 1)" }

  private static func number(of result: StudyResult) -> String { "\(result.behaviour + 1)" }

  // MARK: - Head

  private func header(to page: inout Markup) {
    page.element(.h1) { $0.name(study.name ?? "Study of strategies") }
    let courses = study.courses.map(\.courseText).joined(separator: ", ")
    page.element(.p, [.class: "when"], "\(StudyText.counted(study.runners, "virtual runner")), \(courses)")
    page.element(.p, [.class: "meta"], "A simulation: no person ran.")
    if let trial = study.trial?.trial {
      page.element(.p, [.class: "meta"]) { line in
        line.text("A trial within the sessions: in every arm ")
        line.name(trial.name)
        line.text(" drew which available cues were given.")
      }
    }
    page.contents(parts.map { ($0.id, $0.heading, $0.shownWith) })
  }

  // MARK: - What was studied

  private func writeSummary(to page: inout Markup) {
    if let purpose = study.purpose { page.element(.p, [.class: "lead"]) { $0.name(purpose) } }
    let errors = results.flatMap(\.arms).compactMap(\.timeInTarget.standardError)
    var facts: [(name: String, text: String, more: String?)] = [
      ("Virtual runners", "\(study.runners)", "each in every arm, on the same day"),
      ("Behaviours", "\(study.behaviours.count)", "what runners make of the coach"),
      (
        "Arms", "\(study.courses.reduce(0) { $0 + $1.arms.count })",
        study.courses.map(\.gaitText).joined(separator: ", ")
      ),
    ]
    if let most = errors.max() {
      facts.append(("Monte-Carlo error", "\(Self.points(most)) points", "of a time in target, at most"))
    }
    page.facts(facts)
    for course in study.courses {
      page.element(.h3, course.courseText.capitalizedFirst)
      writeArms(of: course, to: &page)
    }
    page.element(.h3, "Behaviours")
    page.list(study.behaviours.map { ($0.text, $0.behaviour.sentence) })
  }

  private static func points(_ share: Double) -> String { QuantityText.number(100 * share, decimals: 2) }

  private func writeArms(of course: StudyCourse, to page: inout Markup) {
    page.scrollingArea("Arms: \(course.courseText)") { box in
      box.element(.table) { table in
        SessionTables.head(["Arm", "Lasts"], words: "What the coach does", to: &table)
        table.element(.tbody) { body in
          for arm in course.arms {
            body.element(.tr) { row in
              row.element(.th, [.scope: "row"]) { $0.name(arm.name) }
              row.element(.td, [.class: "short"], QuantityText.length(.seconds(arm.seconds)))
              row.element(.td, [.class: "words"]) { cell in
                cell.text(Method.strategy(arm.strategy).capitalizedFirst)
                guard arm.name != arm.strategy.specification else { return }
                cell.text(" ")
                cell.element(.code, arm.strategy.specification)
              }
            }
          }
        }
      }
    }
  }

  // MARK: - All results

  private func writeOverview(to page: inout Markup) {
    for (index, course) in study.courses.enumerated() {
      let ofCourse = results.enumerated().filter { $0.element.course == index }
      let times = "\(course.courseText.capitalizedFirst): mean time in target"
      writeMatrix(times, course.arms.map { ($0.name, switches.numbers($0.name)) }, ofCourse, to: &page) { result in
        result.arms.map { StudyText.percent($0.timeInTarget.mean) }
      }
      guard !course.contrasts.isEmpty else { continue }
      let differences = "\(course.courseText.capitalizedFirst): differences in points, 95 %"
      let titles = course.contrasts.map { contrast in
        let (a, b) = (course.arms[contrast.a].name, course.arms[contrast.b].name)
        return ("\(a) − \(b)", switches.numbers(a, b))
      }
      writeMatrix(differences, titles, ofCourse, to: &page) { result in
        result.contrasts.map { contrast in
          StudyText.points(contrast.difference.mean)
            + (contrast.difference.peopleInterval.map { " (\(StudyText.points($0)))" } ?? "")
        }
      }
    }
  }

  private func writeMatrix(
    _ name: String, _ columns: [(title: String, arms: String)], _ rows: [(offset: Int, element: StudyResult)],
    to page: inout Markup,
    _ cells: (StudyResult) -> [String]
  ) {
    func table(_ name: String, to page: inout Markup) {
      page.element(.table, [.class: name]) { table in
        table.element(.thead) { head in
          head.element(.tr) { row in
            row.element(.th, [.scope: "col"], "Behaviour")
            for column in columns { row.element(.th, [.scope: "col", .dataArms: column.arms], column.title) }
          }
        }
        table.element(.tbody) { body in
          for (index, result) in rows {
            body.element(.tr, [.dataBehaviour: Self.number(of: result)]) { row in
              row.element(.th, [.scope: "row"]) { cell in
                cell.element(.a, [.href: "#" + Self.id(index)], study.behaviours[result.behaviour].text)
              }
              for (column, cell) in zip(columns, cells(result)) { row.element(.td, [.dataArms: column.arms], cell) }
            }
          }
        }
      }
    }
    page.element(.div, [.dataAnyArms: StudySwitches.any(of: columns.map(\.arms))]) { block in
      block.element(.h3, name)
      // One column beside the names has room on a phone: nothing scrolls, so that keys need not stop there.
      guard columns.count > 1 else { return table("numbers wrapped single", to: &block) }
      block.scrollingArea(name) { table("numbers wrapped", to: &$0) }
    }
  }
}

extension StudyCourse {
  /// `run to 119–137 bpm (weight-control)`.
  var courseText: String {
    let range = QuantityText.range(target.lowerBPM, target.upperBPM)
    return "\(gaitText) at \(range) bpm" + (targetRequest.text == range ? "" : " (\(targetRequest.text))")
  }
}

extension String {
  /// The text with a capital letter before it.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
