package import TextFormats
package import WorkoutSession

/// The analysis of a micro-randomised trial, as its protocol plans it or with other moderators.
package struct TrialAnalysis: Sendable {
  /// Why nothing can be estimated.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What of the points that count is not enough.
    package let reason: CenteredLeastSquares.Problem
    /// The points that do not count, see ``TrialAnalysis``.
    package let unavailable, incomplete: Int

    /// One line, which says of too few people why points of others do not count.
    package var description: String {
      guard case .people(let found, let needed) = reason else { return reason.description }
      return "\(StudyText.counted(found, "person", "people")) with a point that counts (\(unavailable) unavailable, "
        + "\(incomplete) incomplete): expected at least \(needed)"
    }
  }

  /// The version of the record.
  package static let version = 1

  /// The protocol.
  package let trial: TrialProtocol
  /// Seconds after a point of the outcome that is analysed.
  package let outcomeSeconds: Int
  /// What the effect is moderated by.
  package let moderators: [TrialProtocol.Covariate]
  /// Whether outcome and moderators are those of the protocol.
  package let isPlanned: Bool
  /// What kinds of sessions are in it.
  package let settings: TrialSettings
  /// Points at which no cue was available, and available ones that are left out because their outcome or a covariate is
  /// missing.
  package let unavailable, incomplete: Int
  /// Cues that were given at points that count.
  package let given: Int
  /// The estimates.
  package let estimates: CenteredLeastSquares

  /// Analyses rows.
  ///
  /// - Precondition: the rows are of this protocol.
  /// - Throws: ``Problem``.
  package init(
    _ rows: [TrialRow], _ trial: TrialProtocol, outcomeSeconds: Int?, moderators: [TrialProtocol.Covariate]?
  ) throws(Problem) {
    self.trial = trial
    self.outcomeSeconds = outcomeSeconds ?? trial.primaryOutcomeSeconds
    self.moderators = moderators ?? trial.moderators
    isPlanned =
      self.outcomeSeconds == trial.primaryOutcomeSeconds && self.moderators == trial.moderators
    settings = TrialSettings(rows)
    let people = Set(rows.map(\.participant)).sorted()
    let places = Dictionary(uniqueKeysWithValues: people.enumerated().map { ($1, $0) })
    let available = rows.filter(\.isAvailable)
    unavailable = rows.count - available.count
    var counted: [CenteredLeastSquares.Row] = []
    for row in available {
      let controls = trial.controls.compactMap { row.value(of: $0) }
      let moderating = self.moderators.compactMap { row.value(of: $0) }
      guard let outcome = row.outcomes[self.outcomeSeconds], controls.count == trial.controls.count,
        moderating.count == self.moderators.count
      else { continue }
      counted.append(
        CenteredLeastSquares.Row(
          person: places[row.participant] ?? 0, probability: row.probability, isGiven: row.isGiven,
          outcome: outcome.secondsInTarget, controls: controls, moderators: moderating))
    }
    incomplete = available.count - counted.count
    given = counted.count { $0.isGiven }
    do throws(CenteredLeastSquares.Problem) {
      estimates = try CenteredLeastSquares(counted, numerator: trial.numerator)
    } catch {
      var reason = error
      if case .people(let found, _) = error {
        // Without a point that counts it is not known there how many coefficients are asked for.
        let needed = CenteredLeastSquares.fewestPeople(
          controls: trial.controls.count, moderators: self.moderators.count)
        reason = .people(found: found, needed: needed)
      }
      throw Problem(reason: reason, unavailable: unavailable, incomplete: incomplete)
    }
  }

  /// The terms of the effect.
  package var terms: [String] { ["cue"] + moderators.map { "cue × \($0.rawValue)" } }

  /// Whose heart rates the effect is of, where they are not those of people who heard the cues; `nil` where all of them are.
  package var caution: String? {
    let behaviours = settings[.behaviour]
    let parts = [
      behaviours.contains(SessionOrigin.simulated.rawValue)
        ? "simulated sessions, in which no person was measured" : nil,
      behaviours.contains(SessionOrigin.imported.rawValue)
        ? "recordings that were played, whose cues nobody heard" : nil,
      behaviours.contains { $0 != TrialSetting.person && SessionOrigin(rawValue: $0) == nil }
        ? "virtual runners of a study" : nil,
    ]
    let named = parts.compactMap { $0 }
    guard !named.isEmpty else { return nil }
    let people = behaviours.contains(TrialSetting.person) ? ["people"] : []
    return "Of " + (people + named).joined(separator: "; of ")
  }

  /// Writes the record as one line.
  ///
  /// - Parameter leftOut: how many sessions were left out because of where their samples came from.
  package func write(leftOut: [SessionOrigin: Int] = [:], to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", Self.version)
      writer.member("type", "trialAnalysis")
      writer.member("protocol", trial.name)
      writer.member("protocolSHA256", trial.hash)
      writer.member("planned", isPlanned)
      writer.member("outcomeSeconds", outcomeSeconds)
      writer.member("pooled", !settings.differing.isEmpty)
      for part in TrialSettings.Part.allCases {
        writer.array(JSONKey(part.plural)) { writer in for name in settings[part] { writer.value(name) } }
      }
      writer.member("people", estimates.people)
      writer.member("points", estimates.points)
      writer.member("given", given)
      writer.member("unavailable", unavailable)
      writer.member("incomplete", incomplete)
      writer.member("simulatedLeftOut", leftOut[.simulated])
      writer.member("importedLeftOut", leftOut[.imported])
      writer.member("numeratorProbability", trial.numerator)
      writer.member("method", "weighted and centred least squares, Mancl-DeRouen residuals, t")
      writer.member("degreesOfFreedom", estimates.degreesOfFreedom)
      writer.array("effects") { writer in
        for (term, effect) in zip(terms, estimates.effects) { Self.write(term, effect, to: &writer) }
      }
      writer.array("controls") { writer in
        let terms = ["constant"] + trial.controls.map(\.rawValue)
        for (term, control) in zip(terms, estimates.controls) { Self.write(term, control, to: &writer) }
      }
      writer.member("jointP", estimates.jointProbability)
    }
    writer.endLine()
  }

  private static func write(
    _ term: String, _ found: CenteredLeastSquares.Coefficient, to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.member("term", term)
      writer.member("estimate", found.value)
      writer.member("standardError", found.standardError)
      writer.member("unadjustedStandardError", found.unadjustedError)
      writer.array("confidence95") { writer in
        writer.value(found.confidence.lower)
        writer.value(found.confidence.upper)
      }
      writer.member("p", found.probability)
    }
  }
}
