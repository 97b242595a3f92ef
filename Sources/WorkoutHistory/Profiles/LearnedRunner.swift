package import TextFormats
package import ZoneEngine

/// What live sessions by `adaptive` have learned of a runner, with which the next one begins. It stands in the profile and nowhere else;
/// what a session began with stands in its manifest, as the strategy.
package struct LearnedRunner: Hashable, Sendable {
  /// How many sessions it was learned in.
  package let sessions: Int
  /// The day of the last of them.
  package let date: CivilDate
  /// What is thought of the runner.
  package let prior: RunnerPrior

  /// Creates what was learned.
  package init(sessions: Int, date: CivilDate, prior: RunnerPrior) {
    self.sessions = sessions
    self.date = date
    self.prior = prior
  }

  /// The strategy of a session that begins with it: one that does not say itself what it thinks of the runner.
  package func begin(_ strategy: FeedbackStrategy) -> FeedbackStrategy {
    guard case .adaptive(let adaptive) = strategy, adaptive.prior == .anybody else { return strategy }
    return .adaptive(adaptive.beginning(with: prior))
  }

  static let field = JSONField<LearnedRunner>.object { (reader) throws(JSONError) in
    let sessions = try reader.required("sessions", .int(in: 1...1_000_000))
    let date = try reader.required("date", .date)
    func number(_ key: String, _ parameter: StrategyParameter) throws(JSONError) -> Int {
      try reader.required(key, .int(in: Int(parameter.range.lowerBound)...Int(parameter.range.upperBound)))
    }
    let slow = try number("slowPercent", .slow)
    let loses = try number("losesPercent", .loses)
    let steers = try number("steersPercent", .steers)
    let follows = try number("followsPercent", .follows)
    let cue = try number("cueBPM", .cueBPM)
    do throws(ZoneError) {
      let prior = try RunnerPrior(
        slowPercent: Double(slow), losesPercent: Double(loses), steersPercent: Double(steers),
        followsPercent: Double(follows), cueBPM: Double(cue))
      return LearnedRunner(sessions: sessions, date: date, prior: prior)
    } catch {
      // Each is in its range: what is left is that two of them exclude each other.
      throw reader.error(
        .notAllowed("\(loses) and \(steers)"),
        expected: "at most \(RunnerPrior.mostLosingOrSteering) together with steersPercent", about: "losesPercent")
    }
  }

  /// Writes the members.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("sessions", sessions)
    writer.member("date", "\(date)")
    writer.member("slowPercent", Int(prior.slowPercent))
    writer.member("losesPercent", Int(prior.losesPercent))
    writer.member("steersPercent", Int(prior.steersPercent))
    writer.member("followsPercent", Int(prior.followsPercent))
    writer.member("cueBPM", Int(prior.cueBPM))
  }
}
