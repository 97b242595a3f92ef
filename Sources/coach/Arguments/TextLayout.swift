internal import TextFormats
internal import WorkoutSession

/// Breaks a text, of which everything is visible then, between words so that no line is longer than `width`, unless one word is.
///
/// - Parameters:
///   - indent: spaces before the first line.
///   - hanging: spaces before the following lines.
func wrapped(_ text: String, width: Int, indent: Int, hanging: Int) -> [String] {
  let text = text.visible
  // A byte is a column then; to look for characters takes many times as long.
  let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
  let words = isPlain ? text.utf8.split(separator: UInt8(ascii: " ")).map { Substring($0) } : text.split(separator: " ")
  var lines: [String] = []
  var line = String(repeating: " ", count: indent)
  var columns = indent
  var isEmpty = true
  for word in words {
    let count = isPlain ? word.utf8.count : word.count
    if !isEmpty, columns + 1 + count > width {
      lines.append(line)
      line = String(repeating: " ", count: hanging)
      columns = hanging
      isEmpty = true
    }
    if !isEmpty {
      line += " "
      columns += 1
    }
    line += word
    columns += count
    isEmpty = false
  }
  if !isEmpty { lines.append(line) }
  return lines
}

/// A label and its explanation, such as an option and what it does.
struct HelpRow: Sendable {
  let label: String
  let text: String
}

/// Two columns of a given width: labels, and their explanations beside them.
struct TwoColumns: Sendable {
  private let width: Int
  private let start: Int

  /// Columns for these rows: the explanations begin right of the longest label that leaves half of the width.
  ///
  /// Below 50 columns there is no room for two unless the labels are short: every explanation goes under its label.
  init(for rows: [HelpRow], width: Int) {
    self.width = width
    let lengths = rows.map(\.label.count)
    let fitting = lengths.filter { $0 <= width / 2 - 4 }
    let isNarrow = width < 50 && lengths.contains { $0 > 8 }
    start = isNarrow ? 6 : (fitting.max() ?? 2) + 4
  }

  /// The lines of these rows; an explanation stands under a label that is too long for its column.
  func lines(of rows: [HelpRow]) -> [String] {
    rows.flatMap { row in
      let label = "  " + row.label
      let lines = wrapped(row.text, width: width, indent: start, hanging: start)
      guard let first = lines.first, label.count + 2 <= start else { return [label] + lines }
      return [label + first.dropFirst(label.count)] + lines.dropFirst()
    }
  }
}
