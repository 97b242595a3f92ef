package import ActivityRecognition
internal import WorkoutSession

/// The page of an evaluation: how well activities are recognised of people of whom nothing was learned.
package struct MotionEvaluationPage {
  private let evaluation: MotionEvaluation

  /// The page of an evaluation.
  package init(_ evaluation: MotionEvaluation) { self.evaluation = evaluation }

  /// The page in UTF-8: HTML that is well-formed XML too.
  package var bytes: [UInt8] {
    Page.bytes(title: "Activities recognised by person", header: header, patterns: []) { main in
      main.section("confusion", "What windows were taken for", writeConfusion)
      main.section("people", "Person by person", writePeople)
      main.section("method", "How it was measured", writeMethod)
    }
  }

  private static func number(_ value: Double) -> String { QuantityText.number(value, decimals: 3) }

  private func header(to page: inout Markup) {
    let (confusion, interval) = (evaluation.confusion, evaluation.confidence95)
    page.element(.h1, "Activities recognised by person")
    page.element(.p, [.class: "when"], "\(evaluation.extent), of whom nothing was learned")
    var facts: [(name: String, text: String, more: String?)] = [
      (
        "Macro-F1", Self.number(confusion.macroF1),
        interval.map { "95 % \(Self.number($0.lowerBound)) to \(Self.number($0.upperBound)) over people" }
      ),
      ("Accuracy", Self.number(confusion.accuracy), nil),
    ]
    if let worst = evaluation.worstPerson {
      facts.append(("Worst person", Self.number(worst.macroF1), "macro-F1 of \(worst.name)"))
    }
    facts.append(
      ("To learn", "\(QuantityText.number(evaluation.secondsToTrain, decimals: 1)) s", "without computing features"))
    facts.append(
      (
        "A window", "\(QuantityText.number(evaluation.microsecondsPerWindow, decimals: 0)) µs",
        "features and network, on one thread"
      ))
    page.facts(facts)
  }

  private func writeConfusion(to page: inout Markup) {
    let (confusion, labels) = (evaluation.confusion, evaluation.labels)
    let f1 = confusion.f1
    page.scrollingArea("What windows were taken for") { box in
      box.element(.table, [.class: "numbers broad"]) { table in
        table.element(.caption, "A row a true label, a column for what was recognised; darker: more of the row.")
        SessionTables.head(["True"] + labels + ["F1"], to: &table)
        table.element(.tbody) { body in
          for row in labels.indices {
            let total = max(1, confusion.counts[row].reduce(0, +))
            body.element(.tr) { line in
              line.element(.th, [.scope: "row"]) { $0.name(labels[row]) }
              for count in confusion.counts[row] {
                line.element(.td, [.class: Self.shade(Double(count) / Double(total))], "\(count)")
              }
              line.element(.td, f1[row].map(Self.number) ?? "–")
            }
          }
        }
      }
    }
  }

  /// The class of a cell with a part of its row.
  static func shade(_ share: Double) -> String {
    switch share {
    case ..<0.001: "shade0"
    case ..<0.05: "shade1"
    case ..<0.5: "shade2"
    case ..<0.9: "shade3"
    default: "shade4"
    }
  }

  private func writePeople(to page: inout Markup) {
    page.scrollingArea("Person by person", isTall: true) { box in
      box.element(.table, [.class: "numbers broad"]) { table in
        SessionTables.head(["Person", "Windows", "Macro-F1", "Accuracy"], to: &table)
        table.element(.tbody) { body in
          for (person, counts) in zip(evaluation.people, evaluation.byPerson) {
            body.element(.tr) { row in
              row.element(.th, [.scope: "row"]) { $0.name(person) }
              row.element(.td, "\(counts.total)")
              row.element(.td, counts.total > 0 ? Self.number(counts.macroF1) : "–")
              row.element(.td, counts.total > 0 ? Self.number(counts.accuracy) : "–")
            }
          }
        }
      }
    }
  }

  private func writeMethod(to page: inout Markup) {
    let plan = evaluation.plan
    func seconds(_ points: Int) -> String { "\(QuantityText.number(Double(points) / 100, decimals: 2)) s" }
    page.list([
      (
        "People",
        evaluation.folds == 1
          ? "one group, tested by what others taught"
          : "cut into \(evaluation.folds) groups by their names; each is tested by what the others taught"
      ),
      (
        "Windows",
        "of \(seconds(plan.shape.points)) every \(seconds(plan.shape.step))"
          + (plan.shape.pastPoints > 0 ? ", with the \(seconds(plan.shape.pastPoints)) before" : "")
          + "; four fifths of one label or more; nothing smoothed"
      ),
      ("Network", "\(plan.network.rawValue), seed \(plan.seed)"),
      ("Macro-F1", "the mean of F1 over the labels, of all windows together"),
      ("95 %", "of \(MotionEvaluation.draws) draws of people with replacement (percentiles)"),
    ])
  }
}
