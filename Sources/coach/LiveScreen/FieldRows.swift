import LiveCoaching
import WorkoutSession

/// The fields that a runner has chosen, as large as they have room.
struct FieldRows {
  /// The rows of fields in the letters of ``PixelFont/Pixel/square``, with their titles.
  static let largeRows = PixelFont.height + 1

  private let source: LiveField.Source
  private let activity: Activity
  private let columns: Int

  /// The fields of a session as it stands.
  init(_ source: LiveField.Source, _ activity: Activity, columns: Int) {
    (self.source, self.activity, self.columns) = (source, activity, columns)
  }

  /// A line for a field that is known: `6:04 /km`, `0 % in target`.
  func text(_ field: LiveField) -> String? { field.value(source).map { field.words($0, activity) } }

  /// As many of the fields as have room on one line.
  func inline(_ fields: [LiveField]) -> StyledText {
    Self.line(fields.compactMap { text($0) }, columns: columns)
  }

  /// As many texts as have room on one line.
  static func line(_ texts: [String], columns: Int) -> StyledText {
    (0...texts.count).reversed().map { texts.prefix($0).map { StyledText($0) }.joined(by: .spaces(3)) }.fitting(columns)
  }

  /// The fields side by side in at most `rows` rows: large where there is room, else a title over a bold number, else on a line.
  func large(_ fields: [LiveField], rows: Int) -> [StyledText] {
    guard !fields.isEmpty, rows > 0 else { return [] }
    guard rows >= 2 else { return [inline(fields)] }
    let cell = columns / fields.count
    let values = fields.map { $0.value(source) }
    let titles = zip(fields, values).map { field, value in
      field.titles(activity, unit: value?.unit ?? "").map { StyledText($0, .dim) }.fitting(cell - 1).padded(to: cell)
    }
    let texts = values.map { $0?.number ?? "–" }
    let pixels = [PixelFont.Pixel.huge, .square, .narrow].filter { pixel in
      PixelFont.height * pixel.rows < rows && texts.allSatisfy { PixelFont.width($0, pixel) < cell }
        && (pixel != .huge || rows >= 3 * Self.largeRows)
    }
    guard let pixel = pixels.first else {
      return [Self.row(titles), Self.row(texts.map { StyledText($0, .bold).padded(to: cell) })]
    }
    let cells = texts.map { text -> [StyledText] in
      guard PixelFont.canWrite(text) else {
        // What is not known is a dash in the middle.
        return (0..<PixelFont.height * pixel.rows).map { row in
          (row == PixelFont.height * pixel.rows / 2 ? StyledText(text, .dim) : .empty).padded(to: cell)
        }
      }
      return PixelFont.rows(text, pixel, ink: "█").map { StyledText($0, .bold).padded(to: cell) }
    }
    return [Self.row(titles)] + (0..<PixelFont.height * pixel.rows).map { row in Self.row(cells.map { $0[row] }) }
  }

  private static func row(_ cells: [StyledText]) -> StyledText { cells.joined(by: .empty) }
}
