import TextFormats
import WorkoutHistory
import WorkoutSession

/// What the profile verbs have in common.
enum ProfileRequest {
  /// The profiles of the data folder that the options name.
  ///
  /// - Throws: `CommandFailure` when nothing names a data folder.
  static func store(_ parsed: ParsedArguments) throws -> ProfileStore {
    ProfileStore(dataFolder: try DataFolder.keptPath(parsed[OutputOptions.dataFolder]))
  }

  /// Draws the identity of a profile.
  static func newID() -> ProfileID {
    var generator = SystemRandomNumberGenerator()
    return ProfileID.random(using: &generator)
  }

  /// The record of a profile on a day.
  ///
  /// - Throws: `DatabaseError` or `FileError` when the sessions cannot be counted.
  static func record(
    _ profile: StoredProfile, on day: CivilDate, in history: History
  ) async throws -> ProfileRecord {
    var filter = History.Filter()
    filter.person = profile.name
    return ProfileRecord(profile, on: day, sessions: try await history.sessions(filter).count)
  }

  /// Shows a profile as it is now.
  ///
  /// - Throws: as for ``record(_:on:in:)``, or `FileError` when it cannot be printed.
  static func show(
    _ profile: StoredProfile, on day: CivilDate, _ parsed: ParsedArguments, _ console: Console
  ) async throws {
    try show(try await HistoryRequest.with(parsed) { try await record(profile, on: day, in: $0) }, parsed, console)
  }

  /// Shows the record of a profile.
  ///
  /// - Throws: `FileError` when it cannot be printed.
  static func show(_ record: ProfileRecord, _ parsed: ParsedArguments, _ console: Console) throws {
    guard parsed[OutputOptions.format] == .text else {
      var writer = JSONWriter()
      record.writeObject(to: &writer)
      writer.endLine()
      return try console.write(writer.bytes)
    }
    let color = parsed.declares(OutputOptions.color) ? parsed[OutputOptions.color] : .auto
    let facts = TerminalFacts(descriptor: 1, color: color)
    try console.print(ProfileView(record, width: facts.width).lines, facts)
  }
}
