internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// What a request leaves to the service of how to coach: it is done as in `coach live` then, by the preset of a runner, and with the
/// usual ceiling. A session and a replay of the same request are coached alike.
struct UsualCoaching: Hashable, Sendable {
  /// Whether nothing is said of a ceiling, so that the usual one holds.
  let hasCeiling: Bool
  /// Whether no strategy is stated: a preset draws its moments then.
  let drawsStrategy: Bool
  private let hasPreset: Bool
  private let keepsGuardrails: Bool

  /// Looks at the members of a request, without asking for them.
  init(_ reader: JSONObjectReader) {
    hasCeiling = !reader.has("ceiling")
    drawsStrategy = !reader.has("strategy")
    hasPreset = !reader.has("coach") && !reader.has("strategy")
    keepsGuardrails = reader.has("guardrails")
  }

  /// Puts the usual preset into the request that was read; guardrails that are stated stay.
  func apply(to coaching: inout CoachingRequest) {
    guard hasPreset else { return }
    let guardrails = coaching.guardrails
    coaching.follow(.runner)
    if keepsGuardrails { coaching.guardrails = guardrails }
  }
}
