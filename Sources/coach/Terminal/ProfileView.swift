import TextFormats
import WorkoutHistory
import WorkoutSession
import ZoneEngine

/// A person: who it is, and the values with their dates.
struct ProfileView: Sendable {
  /// The lines from the top, none wider than asked for.
  let lines: [StyledText]

  /// The view of a profile on a day; the values in force have a mark.
  init(_ record: ProfileRecord, width: Int) {
    let profile = record.profile
    lines =
      [StyledText(profile.name, .bold).cut(to: width)]
      + SummaryView.paragraph(Self.facts(record).joined(separator: ", ") + ".", width: width)
      + Self.learned(record.profile, width: width) + Self.values(record, width: width)
  }

  private static func facts(_ record: ProfileRecord) -> [String] {
    let profile = record.profile
    var facts: [String] = []
    let age = profile.age(on: record.day).map { "\($0) years on \(record.day)" }
    if let birthDate = profile.birthDate {
      facts.append("born \(birthDate)" + (age.map { " (\($0))" } ?? ""))
    } else if let age {
      facts.append(age)
    }
    if let sex = profile.sex { facts.append(sex.rawValue) }
    if let study = profile.study {
      facts.append("study" + (study.name.map { " \($0)" } ?? "") + " from \(study.minimumAge) years on")
    }
    if let formula = profile.formula { facts.append("formula \(formula.rawValue)") }
    if let goal = profile.weeklyGoal {
      facts.append("goal \(FitnessWords.goal(goal, profile.preferences.units ?? .metric)) a week")
    }
    let preferences = profile.preferences
    if let units = preferences.units { facts.append("\(units.rawValue) units") }
    if let language = preferences.language { facts.append("spoken in \(language.rawValue)") }
    if let fields = preferences.fields { facts.append("fields \(fields.map(\.rawValue).joined(separator: " "))") }
    facts.append(record.sessions == 1 ? "1 session" : "\(record.sessions) sessions")
    return facts
  }

  private static func learned(_ profile: StoredProfile, width: Int) -> [StyledText] {
    guard let learned = profile.learned else { return [] }
    let (prior, sessions) = (learned.prior, learned.sessions)
    return SummaryView.paragraph(
      "Learned by adaptive in \(sessions == 1 ? "1 session" : "\(sessions) sessions"), last on \(learned.date): a cue that is followed "
        + "changes \(prior.cueBPM) bpm; \(prior.followsPercent) % likely to follow most cues, \(prior.losesPercent) % to lose again what "
        + "they changed, \(prior.steersPercent) % to steer by the wrist, \(prior.slowPercent) % to have a slow heart rate. "
        + "--forget-learned of profile set takes it away.", width: width)
  }

  private static let columns = [
    TextTable.Column(title: "since"),
    TextTable.Column(title: ""),
    TextTable.Column(title: "value", isNumber: true),
    TextTable.Column(title: "what"),
    TextTable.Column(title: "known by", rank: 1),
    TextTable.Column(title: "method", rank: 2),
  ]

  private static func values(_ record: ProfileRecord, width: Int) -> [StyledText] {
    var rows: [[TextTable.Cell]] = []
    for quantity in ProfileQuantity.allCases {
      guard let values = record.profile.values[quantity] else { continue }
      let inForce = values.inForce(on: record.day)?.value
      for value in values.values.reversed() {
        rows.append([
          .text(value.date.map { "\($0)" } ?? "ever"), .text(value == inForce ? "▸" : nil),
          .text(JSONNumber(value.value).text + " " + quantity.unit), .text(quantity.words),
          .text(value.origin.rawValue),
          .text(value.method),
        ])
      }
    }
    return rows.isEmpty ? [] : [.empty] + TextTable(columns, rows).lines(width: width)
  }
}

/// People as a table, a line each.
struct ProfileListView: Sendable {
  /// The lines from the top, none wider than asked for.
  let lines: [StyledText]

  /// A list of people; it says so when there are none.
  init(_ records: [ProfileRecord], width: Int) {
    guard !records.isEmpty else {
      lines = SummaryView.paragraph("No profile yet: coach profile create NAME keeps one.", width: width)
      return
    }
    let columns = [
      TextTable.Column(title: "name"),
      TextTable.Column(title: "born", rank: 2),
      TextTable.Column(title: "sex", rank: 3),
      TextTable.Column(title: "study", rank: 1),
      TextTable.Column(title: "sessions", isNumber: true),
    ]
    let rows = records.map { record -> [TextTable.Cell] in
      let profile = record.profile
      return [
        .text(profile.name), .text(profile.birthDate.map { "\($0)" }), .text(profile.sex?.rawValue),
        .text(profile.study.map { $0.name ?? "from \($0.minimumAge) years on" }), .text("\(record.sessions)"),
      ]
    }
    lines = TextTable(columns, rows).lines(width: width)
  }
}
