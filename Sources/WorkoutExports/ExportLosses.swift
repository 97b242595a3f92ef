/// What a format could not keep of a workout, counted by kind.
package struct ExportLosses: Hashable, Sendable {
  /// The kinds of losses, in the order in which they are reported.
  package enum Kind: Int, CaseIterable, Comparable, Hashable, Sendable {
    /// Activities that became one.
    case activitiesJoined
    /// Activities without a position.
    case activitiesWithoutPosition
    /// Sports of activities.
    case sports
    /// Sports under the name that the format has for them.
    case sportsRenamed
    /// Sports that are not stated and were taken for running, because steps and cadence need a sport on foot.
    case sportsTakenForRunning
    /// Labels.
    case labels
    /// The device.
    case device
    /// The mark that no person was measured.
    case simulatedMark
    /// A name that was cut to its length.
    case deviceCut
    /// Distances that a file stated beside its points.
    case statedDistances
    /// Steps that a file stated without counting them in its points.
    case statedSteps
    /// Laps, and steps of a plan.
    case laps
    /// Laps that began in a pause, moved to its beginning.
    case lapsMoved
    /// Names of steps of a plan, whose laps are kept.
    case stepNames
    /// What a session burns.
    case energies
    /// Cues.
    case cues
    /// Readings of a live session that were sent twice and are written once.
    case repeatedReadings
    /// Fields that an app or a developer added to the recording, which are not read.
    case addedFields
    /// Pauses.
    case pauses
    /// Pauses whose ends were moved to the points next to them.
    case pausesMoved
    /// Times cut to the second in which they lie.
    case timesCut
    /// Samples after which another one of the same kind came later in the same second.
    case samplesMerged
    /// Samples moved to the position of their second.
    case samplesMoved
    /// Samples that were taken while the timer stood still.
    case samplesInPauses
    /// Heart rates without a position.
    case heartRatesWithoutPosition
    /// Other samples without a position.
    case samplesWithoutPosition
    /// Heart rates that the format has no number for, or that mean no reading in it.
    case heartRatesOutOfRange
    /// Heart rates rounded to whole beats.
    case heartRatesRounded
    /// Steps.
    case steps
    /// Cadences.
    case cadences
    /// Distances of points.
    case distances
    /// Speeds that stand without a position.
    case speedsWithoutPosition
    /// Odd counts of steps since the start, rounded down, because the format counts the strides of one leg.
    case oddSteps
    /// Cadences and steps of a sport for which the format means pedals or strokes by them.
    case cadencesOffFoot
    /// Cadences rounded.
    case cadencesRounded
    /// Accuracies of positions.
    case accuracies
    /// Positions whose accuracy says that they are invalid.
    case invalidPositions
    /// Readings of the motion sensors.
    case motions
    /// Times between two beats.
    case rrIntervals
    /// Courses, headings and accuracies beside positions.
    case directions
    /// The same where there is no position.
    case directionsWithoutPosition
    /// Other values rounded to the steps of their fields.
    case valuesRounded
    /// Other values that do not fit their fields.
    case valuesOutOfRange
    /// Readings of the motion sensors that were brought to even rows by interpolation.
    case motionsResampled
    /// Values that repeat one of a row before.
    case valuesFilled

    /// Whether one kind is reported before another.
    package static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
  }

  /// A kind that occurred.
  package struct Loss: Hashable, Sendable {
    /// The kind.
    package let kind: Kind
    /// How often; at least 1.
    package let count: Int
    /// Further words, such as the name of a sport and what was written for it.
    package let detail: String?
  }

  private var counts: [Kind: Int] = [:]
  private var details: [Kind: [String]] = [:]

  /// How often a kind occurred.
  package subscript(kind: Kind) -> Int { counts[kind] ?? 0 }

  /// The kinds that occurred, in order.
  package var all: [Loss] {
    counts.keys.sorted().map { Loss(kind: $0, count: self[$0], detail: details[$0]?.joined(separator: ", ")) }
  }

  mutating func add(_ kind: Kind, _ count: Int = 1, detail: String? = nil) {
    guard count > 0 else { return }
    counts[kind, default: 0] += count
    if let detail, details[kind]?.contains(detail) != true { details[kind, default: []].append(detail) }
  }
}
