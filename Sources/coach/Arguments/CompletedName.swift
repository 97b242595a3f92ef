/// What the shells ask the program for while a command line is typed, because it is not in the table.
enum CompletedName: String, CaseIterable, Sendable {
  /// The profiles of the data folder.
  case profile
  /// The zones by their numbers and their names.
  case target
  /// The sources of live samples.
  case source
  /// The ready plans.
  case plan
  /// The sessions of the data folder.
  case session
  /// The sessions that are being recorded.
  case running
  /// The usual activities.
  case activity
}

extension Operands {
  /// What names are asked for.
  static let completedName = Operand.one("KIND", of: CompletedName.self)
}

extension Verb {
  /// The question of the shells. It makes and changes nothing, and complains about nothing.
  static let complete = Verb(
    .complete, in: .program,
    summary: "Print the names that a shell offers",
    example: "coach complete profile",
    operand: Operands.completedName.declaration,
    options: [OutputOptions.dataFolder])
}
