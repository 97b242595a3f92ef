package import ZoneEngine

/// One point of a recording as a device wrote it: a time and whatever was measured then. What is absent is `nan`, so
/// that a point is flat and a million of them are cheap.
package struct RecordedPoint: Sendable {
  /// Nanoseconds on the clock of the recording; see ``RecordedClock``.
  package var time: Int64
  /// Beats per minute as written; 0 stays 0, the format's own mark for "no value" is absence.
  package var heartRate = Double.nan
  /// Steps of both feet per minute.
  package var cadence = Double.nan
  /// Steps since the start of the activity, of both feet.
  package var steps = Double.nan
  /// Metres since the start of the activity.
  package var distance = Double.nan
  /// Metres per second.
  package var speed = Double.nan
  /// Degrees north.
  package var latitude = Double.nan
  /// Degrees east.
  package var longitude = Double.nan
  /// Metres above the sea.
  package var altitude = Double.nan
  /// Radius of uncertainty of the position in metres.
  package var horizontalAccuracy = Double.nan

  /// Creates a point without a measurement.
  package init(time: Int64) { self.time = time }
}

/// The clock that the times of a recording are on.
package enum RecordedClock: Hashable, Sendable {
  /// Nanoseconds since the Unix epoch.
  case wall
  /// Nanoseconds since something that is not known, such as the start of a device whose clock was never set.
  case relative

  /// Where a recording has times on both clocks, those below are since something that is not known: the 2²⁸ seconds that FIT
  /// leaves for them. Its times of the day lie behind 1998.
  static let relativeEnd: Int64 = 0x1000_0000 * 1_000_000_000
}

/// What a decoder emits, in the order of the file. A decoder has no policy: it neither sorts nor judges.
package enum DecodedItem: Sendable {
  /// A point.
  case point(RecordedPoint)
  /// The clock that the times are on; emitted before the first time, once more where it changes. A recording that has both
  /// has those that are relative below ``RecordedClock/relativeEnd``, and the others behind it.
  case clock(RecordedClock)
  /// An activity begins, with its sport as the file names it, in lower case (`running`); further points belong to it.
  case activity(sport: String?)
  /// The sport of the current activity, where it is stated after its points.
  case sport(String)
  /// The more precise kind of the sport of the current activity, in words of the FIT profile (`treadmill`).
  case subSport(String)
  /// The device or program that recorded, as the file names it.
  case device(String)
  /// How far the clock of the place of the current activity was ahead of UTC, where the file states it; the first one counts.
  case utcOffset(seconds: Int)
  /// The timer was stopped.
  case timerStopped(at: Int64)
  /// The timer was started or goes on.
  case timerStarted(at: Int64)
  /// The timer was said to stand still between these instants only because another track of a lap begins there: what the lap states
  /// of its time may show that it ran.
  case trackGap(from: Int64, until: Int64)
  /// A segment of the current activity begins with the next point; between two segments the timer stood still. Where they follow
  /// each other in order of time the decoder emits that, too.
  case segment
  /// A lap ended.
  case lap(at: Int64)
  /// What the file states of the time of a lap, or of the whole, of the current activity; in any order.
  case timed(TimedSpan)
  /// A cue that was given in the current activity, as a file of coach states it.
  case cue(CueAction, message: String, at: Int64)
  /// The heart rates that follow were stored by a strap; they stand in this part of the file, from this position on.
  case strapMemory(part: Int, position: String)
  /// Another file begins behind the first one of several in a row.
  case nextPart
  /// A heart rate that a strap stored, in whatever activity it was measured.
  case storedHeartRate(beatsPerMinute: UInt8, at: Int64)
  /// The time between two beats, in the current activity.
  case interval(milliseconds: Double, at: Int64)
  /// Metres that the file states for the current activity; several are added up.
  case statedDistance(meters: Double)
  /// Steps of both feet that the file states for the current activity whose points have none; several are added up.
  case statedSteps(Int)
  /// Kilocalories that the file states for the current activity, above 0; several are added up.
  case statedEnergy(kilocalories: Double)
  /// The cadence and the steps of the points of the current activity were not of feet, which is known only now: they are
  /// to be taken as absent.
  case cadenceIsNotOfFeet
  /// The points that follow may stand at wrong times, because these go on from one that is far from those before it.
  case leap
  /// The times of the points since the last leap were wrong, and are later by so many nanoseconds, or earlier.
  case leapWasDamage(by: Int64)
  /// The cadences of the points that follow are twice what is written, or are what is written, as each of them alone has it;
  /// emitted where that changes. Whether a file writes strides of one leg or steps, all those of an activity show.
  case cadencesAreDoubled(Bool)
  /// The cadence and the steps of the points of the current activity were of feet in these spans only, which are in order and
  /// apart; those of all others are to be taken as absent.
  case cadenceIsOfFeet(in: [Range<Int64>])
  /// A field that an app or a developer added to the file, by its name; what it holds is read past.
  case unreadField(String)
  /// Something odd; the position is such as `byte 1234` or `line 12`.
  case warning(RecordingWarning.Kind, position: String, detail: String?)
}

/// Turns the bytes of one format into what they say, in pieces of any size.
package protocol RecordingDecoder {
  /// Takes the next bytes.
  ///
  /// - Throws: `DecodingProblem` when nothing further can be read.
  mutating func feed(_ bytes: Span<UInt8>, _ sink: (DecodedItem) -> Void) throws(DecodingProblem)
  /// Ends the bytes.
  ///
  /// - Throws: `DecodingProblem` when the bytes end too early; what was emitted before stays.
  mutating func finish(_ sink: (DecodedItem) -> Void) throws(DecodingProblem)
}

/// Why a decoder cannot go on.
package struct DecodingProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where, such as `byte 1234`.
  package let position: String
  /// What is wrong and what was expected.
  package let problem: String
  /// Whether there is more than a budget allows, so that what came before must not pass for the whole.
  package let isBeyondBudget: Bool

  /// Creates a problem.
  package init(position: String, problem: String, isBeyondBudget: Bool = false) {
    self.position = position
    self.problem = problem
    self.isBeyondBudget = isBeyondBudget
  }

  /// `byte 1234: what is wrong`.
  package var description: String { "\(position): \(problem)" }
}
