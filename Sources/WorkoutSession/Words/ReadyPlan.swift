/// Plans that are ready to use, by name. Zones are those of whoever runs.
package enum ReadyPlan: String, CaseIterable, Hashable, Sendable {
  /// An easy run.
  case easy
  /// The zone of the test of the Wise paper, with a way in and a way out.
  case weightControl = "weight-control"
  /// One long effort.
  case tempo
  /// Short efforts with rests.
  case intervals

  /// The plan in the short form.
  package var text: String {
    switch self {
    case .easy: "warm-up: 5min z1, easy: 30min z2, cool-down: 5min z1"
    case .weightControl: "warm-up: 5min z1, steady: 40min z2, cool-down: 5min z1"
    case .tempo: "warm-up: 10min z2, tempo: 20min z4, cool-down: 10min z1"
    case .intervals: "warm-up: 10min z1, 4x(effort: 3min z4, rest: 2min z1), cool-down: 10min z1"
    }
  }
  /// What it is for.
  package var summary: String {
    switch self {
    case .easy: "Half an hour in zone 2"
    case .weightControl: "Forty minutes in zone 2, which the Wise paper calls weight control"
    case .tempo: "Twenty minutes in zone 4"
    case .intervals: "Four times three minutes in zone 4, with two minutes of rest"
    }
  }

  /// The steps.
  ///
  /// - Throws: nothing; a test reads every plan.
  package var request: PlanRequest {
    get throws(PlanTextError) { try PlanRequest(text: text) }
  }
}
