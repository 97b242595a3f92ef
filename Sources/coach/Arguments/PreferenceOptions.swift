import WorkoutSession

/// How somebody wants to read and hear what the coach has to say.
enum PreferenceOptions {
  static let units = Option.choice(
    "units", "metric|imperial", of: UnitSystem.self, in: .output,
    help:
      "Read distances, paces and heights in kilometers and meters, or in miles and feet, instead of as the profile says; "
      + "records stay metric")

  static let language = Option.choice(
    "language", "en|de", of: SpokenLanguage.self, in: .session,
    help: "The language of what is spoken, instead of that of the profile: English, as it is by itself, or German")

  static let fields = Option(
    "fields", "LIST", kind: .choice(LiveField.allCases.map(\.rawValue), isList: true), in: .output,
    help:
      "What the screen of a running session shows large, up to \(LiveField.mostCount) in this order, instead of those of the profile "
      + "or \(LiveField.usual.map(\.rawValue).joined(separator: ","))",
    reader: { (text: String) throws(ValueProblem) in
      let fields = try readChoiceList(text, of: LiveField.self)
      guard fields.count <= LiveField.mostCount else {
        throw ValueProblem(expected: "at most \(LiveField.mostCount) fields")
      }
      return fields
    })

  /// Those that a profile keeps.
  static let all: [any DeclaredOption] = [units, language, fields]
}

extension Preferences {
  /// What the command line says, else what a profile says.
  init(_ parsed: ParsedArguments, else kept: Preferences?) {
    self = kept ?? Preferences()
    if parsed.declares(PreferenceOptions.units), let said = parsed[PreferenceOptions.units] { units = said }
    if parsed.declares(PreferenceOptions.language), let said = parsed[PreferenceOptions.language] { language = said }
    if parsed.declares(PreferenceOptions.fields), let said = parsed[PreferenceOptions.fields] { fields = said }
  }
}
