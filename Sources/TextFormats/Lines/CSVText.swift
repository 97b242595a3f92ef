/// A table as text, with commas between the fields.
package enum CSVText {
  /// A field, in quotes where it needs them.
  package static func field(_ text: String) -> String {
    let needsQuotes = text.utf8.contains { [UInt8(ascii: ","), UInt8(ascii: "\""), 0x0A, 0x0D].contains($0) }
    return needsQuotes ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
  }

  /// A row with its end.
  package static func row(_ fields: [String]) -> String { fields.map(field).joined(separator: ",") + "\n" }
}
