internal import TextFormats
package import WorkoutSession

/// Workouts of other programs as plans, recognised by their first bytes.
///
/// A plan that is cut short is no plan: unlike a recording, a damaged workout is refused as a whole.
package enum WorkoutFile {
  /// The most bytes of a workout.
  package static let mostBytes = 1 << 20

  /// The plan of a FIT workout or of one of Zwift; `nil` for bytes that are neither.
  ///
  /// - Throws: `DecodingProblem` when it is damaged, or asks for what cannot be coached.
  package static func plan(_ bytes: [UInt8]) throws(DecodingProblem) -> PlanRequest? {
    if isFIT(bytes) {
      var reader = FITWorkoutReader()
      return try reader.plan(bytes)
    }
    if isXML(bytes) { return try ZwiftWorkoutReader().plan(bytes) }
    if isUTF16(bytes) { throw DecodingProblem(position: "byte 0", problem: "expected UTF-8 text, found UTF-16") }
    return nil
  }

  private static func isFIT(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 12 && bytes[8..<12].elementsEqual(".FIT".utf8)
  }

  /// Whether a text begins with a byte order mark of UTF-16, as some XML does.
  private static func isUTF16(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
  }

  private static func isXML(_ bytes: [UInt8]) -> Bool {
    if isUTF16(bytes) { return bytes.dropFirst(2).first { $0 > 0x20 } == UInt8(ascii: "<") }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    return bytes[start...].first { $0 > 0x20 } == UInt8(ascii: "<")
  }
}
