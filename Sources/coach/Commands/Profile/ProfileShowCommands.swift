import WorkoutHistory

/// `coach profile show`: a person.
enum ProfileShowCommand {
  /// Shows the profile on a day.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    let profile = try ProfileRequest.store(parsed).profile(named: parsed[Operands.profile])
    try await ProfileRequest.show(profile, on: parsed[ProfileOptions.on] ?? ProfileRequest.today(), parsed, console)
    return 0
  }
}

/// `coach profile list`: the people.
enum ProfileListCommand {
  /// Prints the people, sorted by name; those that cannot be read are reported on standard error.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    let store = try ProfileRequest.store(parsed)
    let today = try ProfileRequest.today()
    let (profiles, problems) = try store.profiles()
    let records = try await HistoryRequest.with(parsed) { history in
      var records: [ProfileRecord] = []
      for profile in profiles { records.append(try await ProfileRequest.record(profile, on: today, in: history)) }
      return records
    }
    for problem in problems { console.complain("\(store.dataFolder): a profile cannot be read: \(problem)") }
    if parsed[OutputOptions.format] == .text {
      let facts = HistoryRequest.facts(parsed)
      try console.print(ProfileListView(records, width: facts.width).lines, facts)
    } else {
      try HistoryRequest.print(records, as: "profiles", parsed, console) { $0.writeObject(to: &$1) }
    }
    return problems.isEmpty ? 0 : ExitCode.unusableData.rawValue
  }
}
