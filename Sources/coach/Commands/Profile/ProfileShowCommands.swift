import TextFormats
import WorkoutHistory

/// `coach profile show`: a person.
enum ProfileShowCommand {
  /// Shows the profile on a day.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    let profiles = try KeptProfiles(parsed, for: .reading)
    defer { profiles.close() }
    let profile = try profiles.profile(named: parsed[Operands.profile])
    let day = try parsed[ProfileOptions.on] ?? CivilDate.today()
    try ProfileRequest.show(try await profiles.record(profile, on: day), parsed, console)
    return 0
  }
}

/// `coach profile list`: the people.
enum ProfileListCommand {
  /// Prints the people, sorted by name; those that cannot be read are reported on standard error.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    let store = try KeptProfiles(parsed, for: .reading)
    defer { store.close() }
    let today = try CivilDate.today()
    let (profiles, problems) = try store.profiles()
    var records: [ProfileRecord] = []
    for profile in profiles { records.append(try await store.record(profile, on: today)) }
    for problem in problems { console.complain("\(store.description): a profile cannot be read: \(problem)") }
    if parsed[OutputOptions.format] == .text {
      let facts = HistoryRequest.facts(parsed)
      try console.print(ProfileListView(records, width: facts.width).lines, facts)
    } else {
      try HistoryRequest.print(records, as: "profiles", parsed, console) { $0.writeObject(to: &$1) }
    }
    return problems.isEmpty ? 0 : ExitCode.unusableData.rawValue
  }
}
