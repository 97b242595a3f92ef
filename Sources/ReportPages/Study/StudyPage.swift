package import StrategyStudy
internal import WorkoutSession
internal import ZoneEngine

/// The page of a study: what was simulated, what came out, how sure that is, and what it does not show.
package struct StudyPage {
  private let results: [StudyResult]
  private let exampleRunners: Int

  /// The page of the results of one study, with the sessions of its first runners as examples.
  ///
  /// - Precondition: there is a result.
  package init(_ results: [StudyResult], exampleRunners: Int) {
    precondition(!results.isEmpty, "a study has results")
    self.results = results
    self.exampleRunners = exampleRunners
  }

  /// The page in UTF-8: HTML that is well-formed XML too, the same bytes for the same study.
  package var bytes: [UInt8] {
    Page.bytes(title: study.name ?? "Study of strategies", header: header, patterns: []) { main in
      for part in parts { main.section(part.id, part.heading, part.write) }
    }
  }

  private var study: Study { results[0].study }

  private typealias Part = (id: String, heading: String, write: (inout Markup) -> Void)

  private var parts: [Part] {
    var parts: [Part] = [("summary", "What was studied", writeSummary)]
    if results.count > 1 { parts.append(("overview", "All results", writeOverview)) }
    for (index, result) in results.enumerated() {
      let part = StudyResultPart(result: result, id: Self.id(index), exampleRunners: exampleRunners)
      parts.append((Self.id(index), part.heading, { part.write(to: &$0) }))
    }
    parts.append(("assumptions", "What it assumes", { StudyMethod.writeAssumptions(of: study, to: &$0) }))
    parts.append(("limits", "What it does not show", { StudyMethod.writeLimits(to: &$0) }))
    parts.append(("method", "How it was computed", { StudyMethod.write(of: study, to: &$0) }))
    return parts
  }

  private static func id(_ result: Int) -> String { "result-\(result + 1)" }

  // MARK: - Head

  private func header(to page: inout Markup) {
    page.element(.h1) { $0.name(study.name ?? "Study of strategies") }
    let courses = study.courses.map(\.courseText).joined(separator: ", ")
    page.element(.p, [.class: "when"], "\(study.runners) virtual runners, \(courses)")
    page.element(.p, [.class: "meta"], "A simulation: no person ran.")
    page.contents(parts.map { ($0.id, $0.heading) })
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
      page.element(.h3, times)
      writeMatrix(times, course.arms.map(\.name), ofCourse, to: &page) { result in
        result.arms.map { StudyText.percent($0.timeInTarget.mean) }
      }
      guard !course.contrasts.isEmpty else { continue }
      let differences = "\(course.courseText.capitalizedFirst): differences in points, 95 %"
      page.element(.h3, differences)
      let titles = course.contrasts.map { "\(course.arms[$0.a].name) − \(course.arms[$0.b].name)" }
      writeMatrix(differences, titles, ofCourse, to: &page) { result in
        result.contrasts.map { contrast in
          StudyText.points(contrast.difference.mean)
            + (contrast.difference.confidence95.map { " (\(StudyText.points($0)))" } ?? "")
        }
      }
    }
  }

  private func writeMatrix(
    _ name: String, _ titles: [String], _ rows: [(offset: Int, element: StudyResult)], to page: inout Markup,
    _ cells: (StudyResult) -> [String]
  ) {
    page.scrollingArea(name) { box in
      box.element(.table, [.class: "numbers wrapped"]) { table in
        SessionTables.head(["Behaviour"] + titles, to: &table)
        table.element(.tbody) { body in
          for (index, result) in rows {
            body.element(.tr) { row in
              row.element(.th, [.scope: "row"]) { cell in
                cell.element(.a, [.href: "#" + Self.id(index)], study.behaviours[result.behaviour].text)
              }
              for cell in cells(result) { row.element(.td, cell) }
            }
          }
        }
      }
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
