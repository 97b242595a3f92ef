package import WorkoutSession

/// The numbers of a study as people read them, in a terminal and on a page alike.
package enum StudyText {
  /// A number with that many decimals and the minus sign of people's texts; what rounds to nothing has none.
  package static func number(_ value: Double, decimals: Int) -> String {
    let text = QuantityText.number(value.magnitude, decimals: decimals)
    return value < 0 && !text.allSatisfy { $0 == "0" || $0 == "." } ? "−" + text : text
  }

  /// The same with a plus sign before what is more than nothing.
  package static func signed(_ value: Double, decimals: Int) -> String {
    let text = number(value, decimals: decimals)
    return value > 0 && text != number(0, decimals: decimals) ? "+" + text : text
  }

  /// How many decimals an estimate has, its interval and its standard error: two at least, and as many as show two digits of that
  /// error, so that of a small effect there is more than zeros; nine at most. An error that nine do not show is none.
  package static func decimals(ofError error: Double) -> Int {
    guard error.magnitude >= 5e-10 else { return 2 }
    var (decimals, digits) = (2, error.magnitude * 100)
    while decimals < 9, digits < 9.5 {
      decimals += 1
      digits *= 10
    }
    return decimals
  }

  /// `62.1 %` of a share.
  package static func percent(_ share: Double) -> String { number(100 * share, decimals: 1) + " %" }

  /// That a trial drew which cues were given, and by which protocol.
  package static func trial(_ trial: TrialProtocol) -> String {
    "In every arm the trial '\(trial.name)' drew which available cues were given; protocol SHA-256 \(trial.hash)"
  }

  /// `1 runner`, `30 runners`, `0 people`; without `many` an s is added.
  package static func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    "\(count) \(count == 1 ? one : many ?? one + "s")"
  }

  /// `61.5–62.7`, two shares in per cent.
  package static func percents(_ interval: ConfidenceInterval) -> String {
    "\(number(100 * interval.lower, decimals: 1))–\(number(100 * interval.upper, decimals: 1))"
  }

  /// `+1.2`, a difference of shares in percentage points.
  package static func points(_ share: Double) -> String { signed(100 * share, decimals: 1) }

  /// `+0.6…+1.8`, two differences of shares in percentage points.
  package static func points(_ interval: ConfidenceInterval) -> String {
    "\(points(interval.lower))…\(points(interval.upper))"
  }

  /// `97.4 %`, or where sessions differ in length `97.4 % of 3842 s, 92.7 % of 1129 s`.
  package static func limits(_ limits: [LimitResult]) -> String {
    guard limits.count > 1 else { return limits.map { percent($0.timeInTarget.mean) }.joined() }
    return limits.map { "\(percent($0.timeInTarget.mean)) of \($0.seconds) s" }.joined(separator: ", ")
  }

  /// `155 (110 to 233)`; absent when no difference was found.
  package static func people(_ needed: PeopleNeeded) -> String? {
    guard case .people(let people, let fewest, let most) = needed else { return nil }
    return "\(people) (\(fewest) to \(most.map(String.init) ?? "more than \(SampleSize.largest)"))"
  }

  /// `0.021` or `<0.001`.
  package static func probability(_ value: Double) -> String {
    value < 0.001 ? "<0.001" : QuantityText.number(value, decimals: 3)
  }
}
