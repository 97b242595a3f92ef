/// What the name of a sport in an XML recording says about its cadence.
package enum RecordedSport {
  /// The most characters of a sport that are kept.
  private static let longest = 200

  /// The beginning of what a file calls a sport, which can be any text.
  package static func shortened(_ sport: String) -> String { String(sport.prefix(longest)) }

  /// Whether steps are made: a run, a walk, a hike.
  package static func isOnFoot(_ sport: String) -> Bool { SportKinds(named: sport).isOnFoot }

  /// Whether a cadence is that of something other than steps, or not of steps alone: pedals, strokes, those of a horse.
  package static func isOffFoot(_ sport: String) -> Bool { SportKinds(named: sport).isOffFoot }

  /// Whether something else than steps carries, for all of it or for a part: a ride, a race of several sports. Of a name that
  /// says nothing, such as `other`, nobody knows.
  package static func isMoreThanSteps(_ sport: String) -> Bool {
    let kinds = SportKinds(named: sport)
    return kinds.isOffFoot || kinds.isMultisport
  }

  /// The sport that a title begins or ends with, such as `Morning Run`; `nil` when it names none.
  package static func named(inTitle title: String) -> String? {
    let words = title.lowercased().split { !$0.isLetter }
    for word in [words.last, words.first].compactMap(\.self) {
      switch word {
      case "run", "running", "jog", "jogging": return "running"
      case "walk", "walking": return "walking"
      case "hike", "hiking": return "hiking"
      case "ride", "cycling", "biking": return "cycling"
      default: break
      }
    }
    return nil
  }

  /// Steps of both feet per minute from a cadence as XML recordings write it: the strides of one leg.
  ///
  /// Some programs write the steps of both feet instead. Nobody keeps up more than 120 strides of one leg a minute, so
  /// what is above that is taken for steps, where it stands alone; whether all of an activity are steps, they show together.
  package static func stepsPerMinute(_ cadence: Double) -> Double { cadence > mostStrides ? cadence : cadence * 2 }

  /// More strides of one leg a minute nobody keeps up.
  package static let mostStrides = 120.0
}
