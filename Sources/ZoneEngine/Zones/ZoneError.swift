/// Why zones, a target, a plan or a strategy cannot be made from what was given.
public enum ZoneError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A number outside what is possible.
  case outOfRange(quantity: String, value: String, expected: String)
  /// The resting heart rate is not below the maximum.
  case restingNotBelowMaximum(resting: Int, maximum: Int)
  /// The bounds of zones do not ascend, or there are too few or too many.
  case bounds([Int], expected: String)
  /// A formula or a model needs a value that is unknown.
  case missing(quantity: String, neededFor: String)
  /// A text that names no zone and no range.
  case target(text: String, expected: String)
  /// A strategy that is not known, or a parameter it does not have.
  case strategy(text: String, expected: String)
  /// A plan that cannot be followed.
  case plan(String)

  /// One line that says what was given and what was expected.
  public var description: String {
    switch self {
    case .outOfRange(let quantity, let value, let expected):
      return "\(quantity) \(value) is not possible: expected \(expected)"
    case .restingNotBelowMaximum(let resting, let maximum):
      return "resting heart rate \(resting) is not below the maximum \(maximum): expected a lower resting heart rate"
    case .bounds(let bounds, let expected):
      return "bounds \(bounds.map(String.init).joined(separator: ",")): expected \(expected)"
    case .missing(let quantity, let neededFor):
      return "\(neededFor) needs \(quantity)"
    case .target(let text, let expected):
      return "target '\(Self.brief(text))': expected \(expected)"
    case .strategy(let text, let expected):
      return "strategy '\(Self.brief(text))': expected \(expected)"
    case .plan(let reason):
      return "plan: \(reason)"
    }
  }

  /// What was expected, where the error says that alone; else the whole of it.
  package var expectation: String {
    switch self {
    case .outOfRange(_, _, let expected), .bounds(_, let expected), .target(_, let expected),
      .strategy(_, let expected):
      return expected
    case .restingNotBelowMaximum, .missing, .plan: return description
    }
  }

  /// A text that somebody wrote, on one line; of a long one the beginning and `…`.
  private static func brief(_ text: String) -> String {
    let shown = text.unicodeScalars.prefix(60).map { scalar in
      let breaksLines =
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || (0x2028...0x2029).contains(scalar.value)
      return breaksLines ? " " : scalar
    }
    return String(String.UnicodeScalarView(shown)) + (shown.count < text.unicodeScalars.count ? "…" : "")
  }

  package static func require(_ value: Int, in range: ClosedRange<Int>, _ quantity: String) throws(ZoneError) {
    guard range.contains(value) else {
      throw outOfRange(
        quantity: quantity, value: "\(value)", expected: "\(range.lowerBound)…\(range.upperBound)")
    }
  }
}
