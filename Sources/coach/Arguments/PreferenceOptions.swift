import WorkoutHistory
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

extension UnitSystem {
  /// The units of who reads what a command prints: as the command line says, else as the profile of the person
  /// says, else as the only profile of the data folder says. A profile that cannot be read is reported by the verbs that need it.
  init(reading parsed: ParsedArguments, of person: String?) {
    var kept: Preferences?
    if parsed.declares(OutputOptions.dataFolder), let folder = try? DataFolder.path(parsed[OutputOptions.dataFolder]) {
      let store = ProfileStore(dataFolder: folder)
      let named =
        (parsed.declares(ZoneOptions.profile) ? parsed[ZoneOptions.profile] : nil)
        ?? person ?? (parsed.declares(HistoryOptions.person) ? parsed[HistoryOptions.person] : nil)
      let names = named.map { [$0] } ?? (try? store.names()) ?? []
      if let name = names.first, names.count == 1 { kept = (try? store.profile(named: name))?.preferences }
    }
    self = Preferences(parsed, else: kept).units ?? .metric
  }
}

extension Preferences {
  /// What the command line says, else what a profile says.
  init(_ parsed: ParsedArguments, else kept: Preferences?) {
    self = kept ?? Preferences()
    if parsed.declares(PreferenceOptions.units), let said = parsed[PreferenceOptions.units] { units = said }
    if parsed.declares(PreferenceOptions.language), let said = parsed[PreferenceOptions.language] { language = said }
    if parsed.declares(PreferenceOptions.fields), let said = parsed[PreferenceOptions.fields] { fields = said }
  }

  /// What the screen of a running session shows.
  var choice: LiveFrame.Choice {
    LiveFrame.Choice(fields: fields ?? LiveField.usual, units: units ?? .metric)
  }
}
