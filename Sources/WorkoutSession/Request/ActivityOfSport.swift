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
    let kinds = SportKinds(named: words)
    let label =
      if kinds.contains(.carried) {
        Activity.label(inWordsOf: words)
      } else if kinds.isMultisport {
        "multisport"
      } else if kinds.contains(.running) {
        kinds.contains(.treadmill) ? "treadmill" : "running"
      } else if kinds.contains(.walking) {
        "walking"
      } else if kinds.contains(.hiking) {
        "hiking"
      } else if kinds.contains(.cycling) {
        "cycling"
      } else if kinds.contains(.rowing) {
        "rowing"
      } else if kinds.contains(.skiing) {
        "skiing"
      } else if kinds.contains(.elliptical) {
        "elliptical"
      } else {
        Activity.label(inWordsOf: words)
      }
    self = Activity(label) ?? .unlabelled
  }

  private static func label(inWordsOf sport: String) -> String {
    sport.label(punctuation: Activity.punctuation, characters: 40, bytes: Activity.mostBytes)
  }
}
