package import WorkoutSession
package import ZoneEngine

/// A running session as somebody sees and hears it who looks at it every second, and gets no events: the fields that they chose, what
/// is to be said, in their units and language.
package struct LiveWatch: Sendable {
  /// What is done.
  private let activity: Activity
  /// The units in which it is read.
  package let units: UnitSystem
  /// The language of what is said.
  package let language: SpokenLanguage
  /// What is shown large, in its order.
  package let fields: [LiveField]

  private var announcer: LiveAnnouncer
  private var stepNumber: Int?
  private var spoken: [String] = []
  /// What is to be known beside the cues and was not shown yet, oldest first.
  package private(set) var notices: [ShownNotice] = []
  /// How many of those wait at most, for somebody whose connection is slow.
  private static let mostNotices = 16

  /// A notice in the units of whoever looks.
  package struct ShownNotice: Hashable, Sendable {
    /// Its words, one line.
    package let text: String
    /// For how long it is shown, in seconds.
    package let seconds: Int
  }

  /// What is shown of a field.
  package struct Shown: Hashable, Sendable {
    /// The field.
    package let field: LiveField
    /// What it is called: `pace`, `in target`.
    package let title: String
    /// What it shows; absent while nobody knows it.
    package let value: UnitSystem.Measure?
  }

  /// Somebody who begins to look.
  ///
  /// - Parameters:
  ///   - preferences: what they chose; what is absent is as for everybody.
  ///   - bests: the efforts over a distance that are announced when they are beaten.
  package init(_ activity: Activity, _ preferences: Preferences, bests: [BestEffort], _ settings: CoachingSettings) {
    self.activity = activity
    units = preferences.units ?? .metric
    language = preferences.language ?? .english
    fields = preferences.fields ?? LiveField.usual
    announcer = LiveAnnouncer(
      units: units, bests: bests, fastestMetersPerSecond: settings.fastestMetersPerSecond)
  }

  /// Looks at the session. Of what was before the first look nothing is said.
  package mutating func look(at pipeline: SessionPipeline) {
    let engine = pipeline.engine
    let position = engine.position
    var phrases: [SpokenPhrase] = []
    if let stepNumber, stepNumber != position.number {
      let step = position.step.map {
        SpokenStep($0, number: position.number, of: position.count, engine.target, in: units)
      }
      phrases.append(step.map { .step($0) } ?? .planFinished)
    }
    stepNumber = position.number
    phrases += announcer.note([], pipeline).map(\.phrase)
    spoken += phrases.map { language.text($0) }
  }

  /// What was to be said since the last call, sentence by sentence.
  package mutating func takeSpoken() -> [String] {
    defer { spoken = [] }
    return spoken
  }

  /// Takes what happened beside the cues.
  package mutating func hear(_ new: [LiveNotice]) {
    notices += new.map { ShownNotice(text: $0.text(in: units), seconds: $0.shownSeconds) }
    notices.removeFirst(max(0, notices.count - Self.mostNotices))
  }

  /// What is in ``notices`` was shown.
  package mutating func forgetNotices() { notices = [] }

  /// The chosen fields of the session as it stands.
  ///
  /// - Parameter timeOfDay: what the clock on the wall shows; `nil` where nobody knows.
  package func shown(_ pipeline: SessionPipeline, timeOfDay: String?) -> [Shown] {
    let source = LiveField.Source(activity, pipeline, units: units, timeOfDay: timeOfDay)
    return fields.map { Shown(field: $0, title: $0.title(activity), value: $0.value(source)) }
  }
}
