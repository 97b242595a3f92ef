internal import TextFormats

/// Why a text is no behaviour.
package struct BehaviourError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What was given.
  package let text: String
  /// What was expected.
  package let expected: String

  /// One line that says what was given and what was expected.
  package var description: String { "behaviour '\(text)': expected \(expected)" }
}

extension Behaviour {
  /// Reads a behaviour as it stands on a command line: parts with `+` between them, each a name with its own and the
  /// general keys, such as `visible+anticipate:rho=1,lead=15` or `reflex:artifact=0.1`.
  ///
  /// `reflex` has none of the other parts; `relapse` has `tau`; `anticipate` has `rho` (a number, or `spread`), `lead`
  /// and `unforeseen` (`always` or `never`); `visible` has `gain` and `interval`. General keys of any part: `compliance`,
  /// `latency`, `step`, `magnitude` (1 or 0), `artifact`, `artifactSeconds`, `dropout`, `dropoutSeconds`.
  ///
  /// - Throws: `BehaviourError` for a name or a key that is unknown or stands twice, or a value that is not possible.
  package init(_ text: String) throws(BehaviourError) {
    self.init()
    var names: Set<String> = []
    var keys: Set<String> = []
    for part in text.split(separator: "+", omittingEmptySubsequences: false) {
      let sides = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(sides.first ?? "")
      switch name {
      case "reflex": break
      case "relapse": relapseSeconds = 90
      case "anticipate": anticipation = Anticipation()
      case "visible": steering = Steering()
      default:
        throw BehaviourError(text: text, expected: "reflex, relapse, anticipate, visible, or several with + between")
      }
      guard names.insert(name).inserted else { throw BehaviourError(text: text, expected: "each part once") }
      guard sides.count == 2 else { continue }
      for pair in sides[1].split(separator: ",", omittingEmptySubsequences: false) {
        let words = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard words.count == 2 else { throw BehaviourError(text: text, expected: "NAME:key=value,key=value") }
        guard keys.insert(words[0]).inserted else { throw BehaviourError(text: text, expected: "each key once") }
        try set(words[0], words[1], of: name, text)
      }
    }
    guard !names.contains("reflex") || names.count == 1 else {
      throw BehaviourError(text: text, expected: "reflex alone, which has none of the other parts")
    }
  }

  private mutating func set(
    _ key: String, _ value: String, of part: String, _ text: String
  ) throws(BehaviourError) {
    func number(_ range: ClosedRange<Double>) throws(BehaviourError) -> Double {
      guard let number = DecimalText.double(from: value.utf8.span), range.contains(number) else {
        throw BehaviourError(text: text, expected: "\(key) from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
    func whole(_ range: ClosedRange<Int>) throws(BehaviourError) -> Int {
      guard let number = Int(value), range.contains(number) else {
        throw BehaviourError(
          text: text, expected: "\(key) as a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
    switch (part, key) {
    case ("relapse", "tau"): relapseSeconds = try number(1...3_600)
    case ("anticipate", "rho"): anticipation?.share = value == "spread" ? nil : try number(0...1)
    case ("anticipate", "lead"): anticipation?.leadSeconds = try number(0...3_600)
    case ("anticipate", "unforeseen"):
      guard let choice = Unforeseen(rawValue: value) else {
        throw BehaviourError(text: text, expected: "unforeseen=always or unforeseen=never")
      }
      anticipation?.unforeseen = choice
    case ("visible", "gain"): steering?.gain = try number(0...1)
    case ("visible", "interval"): steering?.everySeconds = try whole(1...600)
    case (_, "compliance"): compliance = try number(0...1)
    case (_, "latency"): latencySeconds = try whole(1...20)
    case (_, "step"): step = try number(0...0.5)
    case (_, "magnitude"): doublesStep = try whole(0...1) == 1
    case (_, "artifact"): artifacts.share = try number(0...1)
    case (_, "artifactSeconds"): artifacts.seconds = try number(1...600)
    case (_, "dropout"): dropouts.share = try number(0...1)
    case (_, "dropoutSeconds"): dropouts.seconds = try number(1...600)
    default:
      let own = ["relapse": "tau, ", "anticipate": "rho, lead, unforeseen, ", "visible": "gain, interval, "]
      throw BehaviourError(
        text: text,
        expected: "of \(part) only \(own[part] ?? "")compliance, latency, step, magnitude, artifact, artifactSeconds, "
          + "dropout, dropoutSeconds")
    }
  }
}
