import CoachService
import TextFormats
import WorkoutHistory

/// `coach profile create`: a person is kept.
enum ProfileCreateCommand {
  /// Keeps the profile and shows it.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    let today = try CivilDate.today()
    var profile = StoredProfile(id: ProfileRequest.newID(), name: parsed[Operands.newProfile])
    _ = try ProfileChanges(parsed, today: today).apply(to: &profile)
    try profile.require(on: today)
    let profiles = try KeptProfiles(parsed, for: .changing)
    defer { profiles.close() }
    try profiles.create(profile)
    try ProfileRequest.show(try await profiles.record(profile, on: today), parsed, console)
    return 0
  }
}

/// `coach profile set`: what is new of a person.
enum ProfileSetCommand {
  /// Changes the profile and shows it.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    let today = try CivilDate.today()
    let profiles = try KeptProfiles(parsed, for: .changing)
    defer { profiles.close() }
    let changes = ProfileChanges(parsed, today: today)
    let profile = try profiles.change(parsed[Operands.profile]) {
      guard try changes.apply(to: &$0) else {
        throw CommandFailure("profile set: \(try changes.reasonForNothing(about: $0.name))", .usage)
      }
      try $0.require(on: today)
    }
    try ProfileRequest.show(try await profiles.record(profile, on: today), parsed, console)
    return 0
  }
}

/// `coach profile rename`: another name for a person.
enum ProfileRenameCommand {
  /// Renames the profile and shows it.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    let names = parsed[Operands.profileNames]
    do throws(ValueProblem) {
      _ = try readNewProfileName(names[1])
    } catch {
      throw CommandFailure("NEW-NAME: expected \(error.expected), found \(quoted(names[1]))", .usage)
    }
    let store = try ProfileRequest.store(parsed)
    try store.renameEverywhere(names[0], to: names[1], id: ProfileRequest.newID())
    try await ProfileRequest.show(store.profile(named: names[1]), on: CivilDate.today(), parsed, console)
    return 0
  }
}
