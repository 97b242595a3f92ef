/// The measurements as a table for people: time per operation, operations a second, spread of the rounds.
func table(of measurements: [Measurement]) -> String {
  let rows = measurements.map { measurement in
    let nanoseconds = measurement.medianNanoseconds
    return [
      measurement.name,
      fixed(nanoseconds, digits: 3),
      nanoseconds > 0 ? fixed(1e3 / nanoseconds, digits: 3) : "–",
      fixed(100 * measurement.spread, digits: 1) + " %",
    ]
  }
  let header = ["benchmark", "ns/operation", "million/s", "spread"]
  let widths = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
  return ([header] + rows).map { row in
    row.indices.map { column in
      let padding = String(repeating: " ", count: widths[column] - row[column].count)
      return column == 0 ? row[column] + padding : padding + row[column]
    }.joined(separator: "  ")
  }.joined(separator: "\n")
}

/// The measurements as JSON Lines: one record each.
func records(of measurements: [Measurement], effort: Effort) -> String {
  measurements.map { measurement in
    let rounds = measurement.roundMedians.map { fixed($0, digits: 6) }.joined(separator: ",")
    return "{\"version\":1,\"type\":\"benchmark\",\"name\":\(quoted(measurement.name))"
      + ",\"operations\":\(measurement.operations),\"rounds\":\(effort.rounds),\"repeats\":\(effort.repeats)"
      + ",\"medianNanoseconds\":\(fixed(measurement.medianNanoseconds, digits: 6))"
      + ",\"spread\":\(fixed(measurement.spread, digits: 4)),\"roundMedianNanoseconds\":[\(rounds)]"
      + ",\"checksum\":\"\(String(measurement.checksum, radix: 16))\"}"
  }.joined(separator: "\n")
}

/// A number with a fixed count of decimals, rounded half away from zero.
///
/// - Precondition: `value` is finite, not negative and less than 10¹⁸ after scaling by the digits.
func fixed(_ value: Double, digits: Int) -> String {
  var scale = 1.0
  for _ in 0..<digits { scale *= 10 }
  let text = String(UInt64((value * scale).rounded()))
  guard digits > 0 else { return text }
  let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
  return padded.dropLast(digits) + "." + padded.suffix(digits)
}

/// A text as a JSON string.
func quoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"", "\\": result += "\\\(scalar)"
    case "\u{0}"..<"\u{20}":
      let digits = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}
