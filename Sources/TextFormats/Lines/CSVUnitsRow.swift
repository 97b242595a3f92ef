/// A row of units below the names of columns, as programs of laboratories write it.
package enum CSVUnitsRow {
  /// The longest unit, in characters.
  private static let longest = 16
  private static let known: Set<String> = [
    "s", "sec", "secs", "second", "seconds", "ms", "msec", "us", "\u{B5}s", "\u{3BC}s", "ns", "min", "mins",
    "minutes", "h", "hh:mm:ss", "h:mm:ss", "mm:ss", "bpm", "1/min", "/min", "min-1", "beats/min", "spm", "rpm",
    "steps/min", "m", "meter", "meters", "metres", "km", "mi", "mile", "miles", "yd", "ft", "feet", "m/s", "mps",
    "km/h", "kmh", "kph", "mph", "m/min", "deg", "degree", "degrees", "\u{B0}", "g", "mg", "m/s2", "m/s^2",
    "m/s\u{B2}", "ms-2", "rad/s", "deg/s", "\u{B0}/s", "dps", "ut", "\u{B5}t", "\u{3BC}t", "w", "watt", "watts", "%",
    "count", "counts", "steps", "kcal", "kj", "l/min", "ml/min", "l", "ml", "c", "\u{B0}c",
  ]

  /// The names of columns with the units of the row below them in brackets, `Speed (km/h)`; a name that has brackets keeps them.
  ///
  /// - Returns: `nil` where the row is none of units: with a number, with another number of columns, or with fewer units that are known
  ///   than other words.
  package static func names(_ names: [String], with row: [String]) -> [String]? {
    guard row.count == names.count else { return nil }
    let units = row.map(unit)
    let stated = units.filter { !$0.isEmpty }
    guard stated.allSatisfy(mayBeUnit), stated.count(where: { known.contains($0.lowercased()) }) * 2 >= stated.count,
      !stated.isEmpty
    else { return nil }
    return zip(names, units).map { name, unit in
      unit.isEmpty || name.contains("(") || name.contains("[") ? name : "\(name) (\(unit))"
    }
  }

  /// A field without the brackets around it; empty for a dash, which stands for no unit.
  private static func unit(_ field: String) -> String {
    guard let first = field.first, let last = field.last, field != "-" else { return "" }
    let isBracketed = field.count > 1 && (first == "[" && last == "]" || first == "(" && last == ")")
    return isBracketed ? String(field.dropFirst().dropLast()) : field
  }

  private static func mayBeUnit(_ text: String) -> Bool {
    guard text.count <= longest, let first = text.first else { return false }
    return text.hasPrefix("1/") || !first.isNumber && first != "+" && first != "-" && first != "."
  }
}
