/// Something odd in a recording that is usable all the same, counted by kind.
public struct RecordingWarning: Hashable, Sendable {
  /// The kinds of oddities.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Columns whose meaning is not known; they were read past.
    case unknownColumns
    /// Columns that hold the same as another one, which is read; they were read past.
    case doubledColumns
    /// Rows that cannot be read; they were left out.
    case unreadableRow
    /// Values that cannot be read, or that nothing can measure such as a latitude of 95°, in rows that otherwise can be read;
    /// they are absent.
    case unreadableValue
    /// Rows earlier than the one before; they were put in order.
    case outOfOrder
    /// A last line without its end: a torn write, left out.
    case tornLine
    /// Points that do not say when they were; they were left out.
    case pointWithoutTime
    /// Bytes after the end of what was packed; they were left out.
    case trailingBytes
    /// Nothing further can be read from here on.
    case truncated
    /// A checksum that does not fit its bytes; they were read all the same.
    case wrongChecksum
    /// Bytes that cannot be read; the reading went on behind them.
    case unreadableBytes
    /// Fields whose size does not fit their type; they were read past.
    case oddFieldSize
    /// The clock of the device was never set: times are only good for what lies between them.
    case clockNeverSet
    /// The clock of the device was set while it recorded: what it recorded before counts up to there.
    case clockSetLate
    /// Where no record has a heart rate, those that were stored apart from the records are given.
    case heartRateFromHrMessages
    /// Heart rates that a strap stored before the workout began or after it ended; they were left out.
    case heartRateOutsideWorkout
    /// Columns whose names do not state their unit, or dates that do not state their order, which was guessed from their values.
    case guessedUnit
    /// Motion whose values cannot be in the unit that the names of its columns state.
    case contradictedUnit
    /// Accelerations that are in no unit those of a person; they were left out.
    case impossibleMotion
    /// Acceleration from which gravity was taken, without columns that have it.
    case gravityLacking
    /// Times since the start that begin anew with each trial; the trials were put one after the other.
    case timeBeginsAnew
    /// Labels beyond what is kept; the detail says of what there were too many, where that is not the changes.
    case labelsLeftOut
    /// No reading of any kind for more than six hours: the clock may have jumped. The session is paused across it.
    case clockJump
    /// Readings whose times are not of the recording, such as of 1970; they were left out.
    case implausibleTime
    /// Most of the distance is missing, because the sport is slower than the positions.
    case fasterThanSport
    /// Heart rates of a strap at times at which the workout has its own; they were left out.
    case heartRateBesideOwn
    /// The same heart rate, or two neighbours to and fro, for minutes: the sensor may have stuck.
    case stuckSignal
    /// The heart rate follows the steps: the sensor may have taken the one for the other.
    case cadenceLock
    /// Another recording holds the same workout.
    case sameWorkout
    /// Steps or distance come from several devices, which count the same ones: the raw sum counts some of them twice.
    case severalSources
    /// Routes of workouts that stand outside of the file; they were left out.
    case routeNotRead
    /// Routes of workouts that are missing or damaged; what could be read of them counts.
    case unreadableRoute
    /// Further recordings of an archive, or archives in it, beside the one that was opened; they were left out.
    case recordingsLeftOut
    /// Workouts that a format states beside what is read of it, where nothing is read; they were passed over.
    case workoutsNotRead
    /// Rows of more than one person; the facts are of all of them, and none is judged unless one is chosen.
    case severalPeople
  }

  /// What is odd.
  public let kind: Kind
  /// Where it was first seen, such as `line 12`.
  public let position: String
  /// How often.
  public internal(set) var count: Int
  /// Further words, such as the names of columns.
  public let detail: String?
}

/// Where in a file something stands, by the numbers of bytes or lines.
private struct FilePlace {
  /// What is counted, such as `byte` or `unpacked byte`.
  let unit: Substring
  let number: Int

  /// The place that a position names; `nil` for one that is no place of the file, such as a time.
  init?(_ position: String) {
    guard let space = position.lastIndex(of: " "), let number = Int(position[position.index(after: space)...]) else {
      return nil
    }
    unit = position[..<space]
    guard unit.hasSuffix("byte") || unit.hasSuffix("line") else { return nil }
    self.number = number
  }

  /// Whether it is nearer to the beginning; places that are counted in different units are in no order.
  func isBefore(_ other: FilePlace) -> Bool { unit == other.unit && number < other.number }
}

/// The warnings of a recording, one of each kind, in the order in which they were first seen.
struct RecordingWarnings: Sendable {
  private(set) var all: [RecordingWarning]

  init(_ all: [RecordingWarning] = []) { self.all = all }

  mutating func add(
    _ kind: RecordingWarning.Kind, at position: @autoclosure () -> String, count: Int = 1, detail: String? = nil
  ) {
    if let index = all.firstIndex(where: { $0.kind == kind }) {
      all[index].count += count
    } else {
      all.append(RecordingWarning(kind: kind, position: position(), count: count, detail: detail))
    }
  }

  /// Adds one that a decoder may have noticed only behind it, as one of compressed times that turn out to be damaged: the first
  /// place of its kind in the file counts, with its words.
  mutating func add(noticedLate kind: RecordingWarning.Kind, at position: String, detail: String?) {
    guard let index = all.firstIndex(where: { $0.kind == kind }) else {
      return add(kind, at: position, detail: detail)
    }
    all[index].count += 1
    if let first = FilePlace(all[index].position), let place = FilePlace(position),
      place.isBefore(first)
    {
      all[index] = RecordingWarning(kind: kind, position: position, count: all[index].count, detail: detail)
    }
  }

  /// Puts the warnings in the order of their places in the file, those of other positions, which only the whole file shows, behind
  /// them. The files of a chain say what is true of the whole of each at its end, and what a strap has stored is known last.
  mutating func order() {
    let placed = all.map { (warning: $0, place: FilePlace($0.position)) }
    var units: [Substring] = []
    for place in placed.compactMap(\.place) where !units.contains(place.unit) { units.append(place.unit) }
    let inFile = units.flatMap { unit in
      placed.filter { $0.place?.unit == unit }.enumerated()
        .sorted { ($0.element.place?.number ?? 0, $0.offset) < ($1.element.place?.number ?? 0, $1.offset) }
        .map(\.element.warning)
    }
    all = inFile + placed.filter { $0.place == nil }.map(\.warning)
  }

  /// Adds one that was seen elsewhere.
  mutating func add(_ warning: RecordingWarning) {
    add(warning.kind, at: warning.position, count: warning.count, detail: warning.detail)
  }
}
