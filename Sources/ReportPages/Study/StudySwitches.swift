internal import StrategyStudy

/// The boxes by which a reader of a study's page chooses which arms and behaviours are shown.
///
/// Everything is shown where no script runs. What is to be switched off names its arms or its behaviour in an attribute.
struct StudySwitches {
  /// The names of the arms of all courses, each once.
  let arms: [String]
  /// The behaviours, as they are written.
  let behaviours: [String]

  /// The boxes of a study.
  init(_ study: Study) {
    var arms: [String] = []
    for course in study.courses {
      for arm in course.arms where !arms.contains(arm.name) { arms.append(arm.name) }
    }
    self.arms = arms
    behaviours = study.behaviours.map(\.text)
  }

  /// The numbers of some arms, as an attribute has them: what has it is shown with all of them alone.
  func numbers(_ names: String...) -> String { numbers(names) }

  /// The numbers of some arms, as an attribute has them: what has it is shown with all of them alone.
  func numbers(_ names: [String]) -> String {
    names.compactMap { arms.firstIndex(of: $0) }.map { "\($0 + 1)" }.joined(separator: " ")
  }

  /// Several of these, as an attribute has them: what has it, such as a heading of many rows, is shown with any one of them.
  static func any(of numbers: [String]) -> String { numbers.joined(separator: ",") }

  /// Writes the boxes and what hands out the data. They are hidden until the script shows them.
  func write(to page: inout Markup) {
    page.element(.div, [.id: "shown", .class: "shown", .hidden: "hidden"]) { bar in
      if behaviours.count > 1 { writeBoxes("Behaviours", "behaviour", behaviours, to: &bar) }
      if arms.count > 1 { writeBoxes("Arms", "arm", arms, to: &bar) }
      bar.element(.p) { line in
        line.element(.output, [.id: "shown-words", .ariaLive: "polite"], "Everything is shown.")
        line.text(" ")
        line.element(.button, [.type: "button", .value: "jsonl"], "Data as JSON lines")
        line.text(" ")
        line.element(.button, [.type: "button", .value: "csv"], "Data as CSV")
      }
    }
  }

  private func writeBoxes(_ legend: String, _ kind: String, _ names: [String], to page: inout Markup) {
    page.element(.fieldset) { set in
      set.element(.legend, legend)
      for (index, name) in names.enumerated() {
        set.element(.label) { label in
          label.empty(.input, [.type: "checkbox", .name: kind, .value: "\(index + 1)", .checked: "checked"])
          label.text(" ")
          label.name(name)
        }
      }
    }
  }
}
