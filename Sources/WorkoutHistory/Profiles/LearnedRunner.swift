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
    let slow = try reader.required("slowPercent", .int(in: 0...100))
    let loses = try reader.required("losesPercent", .int(in: 0...100))
    let steers = try reader.required("steersPercent", .int(in: 0...100))
    let follows = try reader.required("followsPercent", .int(in: 0...100))
    let cue = try reader.required("cueBPM", .int(in: 0...255))
    do throws(ZoneError) {
      let prior = try RunnerPrior(
        slowPercent: Double(slow), losesPercent: Double(loses), steersPercent: Double(steers),
        followsPercent: Double(follows), cueBPM: Double(cue))
      return LearnedRunner(sessions: sessions, date: date, prior: prior)
    } catch {
      throw reader.error(.notAllowed("another number"), expected: "\(error)", about: "sessions")
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
