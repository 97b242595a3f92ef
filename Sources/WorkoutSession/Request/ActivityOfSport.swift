internal import TextFormats
internal import ZoneEngine

extension Activity {
  /// The label of a sport as recordings name it; `multisport` for several that are not of one kind.
  package init(ofSport sport: String?) {
    let labels = Set((sport ?? "").split(separator: "+").map { Activity(ofOneSport: String($0)) })
    guard labels.count > 1 else {
      self = labels.first ?? .unlabelled
      return
    }
    self = Activity("multisport") ?? .unlabelled
  }

  private init(ofOneSport words: String) {
    func has(_ parts: String...) -> Bool { parts.contains { words.contains($0) } }
    let label =
      if has("run", "jog") {
        has("treadmill") ? "treadmill" : "running"
      } else if has("walk") {
        "walking"
      } else if has("hik", "trek") {
        "hiking"
      } else if has("cycl", "bik", "ride", "riding") {
        "cycling"
      } else if has("row") {
        "rowing"
      } else if has("ski") {
        "skiing"
      } else if has("elliptical") {
        "elliptical"
      } else {
        words.label(punctuation: Activity.punctuation, characters: 40, bytes: Activity.mostBytes)
      }
    self = Activity(label) ?? .unlabelled
  }
}
