@testable import StrategyStudy
import TestSupport
import WorkoutSession
import ZoneEngine

extension HeartRateTrack {
  /// The track of a timeline; at one instant readings come first, then the end of a pause, then its beginning.
  init(_ timeline: Timeline) {
    let turns = timeline.pauses.flatMap { pause in
      [(Turn.pause, pause.0), (Turn.resume, pause.1)]
    }.filter { $0.1 <= timeline.end }.map { turn, seconds in
      TimedTurn(turn: turn, time: .at(seconds), index: timeline.samples.filter { $0.seconds <= seconds }.count)
    }
    self.init(
      times: timeline.samples.map { .at($0.seconds) }, beatsPerMinute: timeline.samples.map(\.bpm), turns: turns,
      end: .at(timeline.end))
  }
}

extension CoachingSettings {
  /// A target in beats per minute and a strategy, for a maximum of 190.
  static func compared(_ target: String, _ strategy: String) throws -> CoachingSettings {
    var request = CoachingRequest()
    request.profile.maximumHeartRate = 190
    request.target = TargetRequest(target)
    request.strategy = try FeedbackStrategy(specification: strategy)
    return try request.settings(on: nil)
  }
}

extension StrategyTally {
  /// What a strategy says of a track.
  init(_ track: HeartRateTrack, _ settings: CoachingSettings) {
    let course = MedianCourse(track, settings: settings)
    self.init(track, settings, course: course, excursions: course.excursions)
  }
}

extension ComparedRecording {
  /// A timeline that was given to strategies.
  init(_ timeline: Timeline, of person: String, target: String, _ strategies: [String]) throws {
    try self.init(
      HeartRateTrack(timeline), of: ComparedPerson(identity: person, name: person),
      guidance: .compared(target, "none"), strategies: strategies.map { try FeedbackStrategy(specification: $0) },
      phase: nil, path: .sweep)
  }
}

/// Two minutes in the target of 120–140, 100 s over it, and in it again, a heart rate a second up to the end at 300 s.
func oneExcursion() -> Timeline {
  var timeline = Timeline(end: 300)
  timeline.add(from: 0, until: 301) { second in
    switch second {
    case ..<100: 130
    case ..<105: 130 + (second - 99) * 4
    case ..<200: 150
    case ..<205: 150 - (second - 199) * 4
    default: 130
    }
  }
  return timeline
}
