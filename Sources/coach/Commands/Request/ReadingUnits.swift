import WorkoutHistory
import WorkoutSession

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
