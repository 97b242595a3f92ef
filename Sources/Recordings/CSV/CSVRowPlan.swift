internal import TextFormats
internal import WorkoutSession

/// Where the numbers of a row stand.
enum CSVSlot {
  static let heartRate = 0
  static let steps = 1
  static let cumulativeSteps = 2
  static let cadence = 3
  /// The rest of a cadence that counts the strides of one leg, as in files made from FIT.
  static let fractionalCadence = 4
  static let distance = 5
  static let speed = 6
  static let latitude = 7
  static let longitude = 8
  static let altitude = 9
  static let horizontalAccuracy = 10
  static let verticalAccuracy = 11
  static let acceleration = 12
  static let rotationRate = 15
  static let magneticField = 18
  static let rrInterval = 21
  /// The values of a direction but for the first, which is the vertical accuracy.
  static let direction = 22
  static let gravity = 27

  /// The columns of the numbers of a table, by their places.
  fileprivate static func columns(in columns: CSVColumns, _ style: CSVStyle) -> [Int: Int] {
    let known = columns.columns
    var found: [Int: Int] = [:]
    found[heartRate] = known[.heartRate]
    if style.stepsAreCount {
      found[cumulativeSteps] = known[.steps]
    } else {
      found[steps] = known[.steps]
      if known[.steps] == nil { found[cumulativeSteps] = known[.cumulativeSteps] }
    }
    found[cadence] = known[.cadence]
    if known[.cadence] != nil { found[fractionalCadence] = known[.fractionalCadence] }
    found[distance] = columns.distance?.index
    found[speed] = columns.speed?.index
    if known[.latitude] != nil, known[.longitude] != nil {
      found[latitude] = known[.latitude]
      found[longitude] = known[.longitude]
      found[horizontalAccuracy] = known[.horizontalAccuracy]
    }
    found[altitude] = known[.altitude]
    found[verticalAccuracy] = known[.verticalAccuracy]
    let vectors = [
      (acceleration, columns.axes { .acceleration(axis: $0) }),
      (rotationRate, columns.axes { .rotationRate(axis: $0) }),
      (magneticField, columns.axes { .magneticField(axis: $0) }),
      (gravity, columns.axes { .gravity(axis: $0) }),
    ]
    for (slot, axes) in vectors {
      guard let axes else { continue }
      for (offset, column) in [axes.x, axes.y, axes.z].enumerated() { found[slot + offset] = column }
    }
    if style.intervalFactor != nil { found[rrInterval] = known[.rrInterval] }
    for value in 1..<DirectionReading.valueCount { found[direction + value - 1] = known[.direction(value: value)] }
    return found
  }
}

/// Which numbers the rows of a table have, as its header and its style say, and what is made of them.
struct CSVRowPlan: Sendable {
  /// Whether −1 means that a value is absent.
  let marksAbsenceByMinusOne: Bool
  /// The columns of whom a row belongs to, of its label and of its trial.
  let people: Int?
  let labels: Int?
  let trials: Int?
  let distanceFactor: Double
  let intervalFactor: Double
  /// Whether a cadence counts the strides of one leg.
  let countsStrides: Bool
  let speedFactor: Double
  /// Whether there is a column of steps, cadence or distance.
  let hasStrides: Bool
  let hasPlace: Bool
  let hasMotion: Bool
  /// Whether columns have the gravity that was taken from the acceleration, and what that is multiplied by.
  let hasGravity: Bool
  let gravityScale: SIMD3<Double>
  let hasIntervals: Bool
  let hasDirection: Bool
  let hasAltitude: Bool
  let holdsHours: Bool

  /// Plans the rows of a table.
  init(_ columns: CSVColumns, _ style: CSVStyle) {
    marksAbsenceByMinusOne = columns.layout.marksAbsenceByMinusOne
    people = columns.personColumn
    labels = columns.columns[.label]
    trials = columns.columns[.trial]
    holdsHours = columns.layout == .fitbitHours
    distanceFactor = columns.distance?.factor ?? 1
    speedFactor = columns.speed?.factor ?? 1
    intervalFactor = style.intervalFactor ?? 1
    countsStrides = columns.layout.countsStrides
    gravityScale = columns.gravityScale ?? .one
    let slots = CSVSlot.columns(in: columns, style)
    func has(_ slot: Int) -> Bool { slots[slot] != nil }
    hasStrides = [CSVSlot.steps, CSVSlot.cumulativeSteps, CSVSlot.cadence, CSVSlot.distance].contains(where: has)
    hasPlace = has(CSVSlot.latitude)
    hasAltitude = has(CSVSlot.altitude)
    hasGravity = has(CSVSlot.gravity)
    hasMotion =
      hasGravity || [CSVSlot.acceleration, CSVSlot.rotationRate, CSVSlot.magneticField].contains(where: has)
    hasIntervals = has(CSVSlot.rrInterval)
    hasDirection =
      has(CSVSlot.verticalAccuracy)
      || (1..<DirectionReading.valueCount).contains { has(CSVSlot.direction + $0 - 1) }
  }

  /// Whether rows hold a heart rate and a speed at most, of nobody in particular.
  var isNarrow: Bool {
    !holdsHours && people == nil && labels == nil && trials == nil
      && !(hasStrides || hasPlace || hasMotion || hasIntervals || hasDirection || hasAltitude)
  }

  /// What is read from each column.
  func uses(of columns: CSVColumns, _ time: CSVTimeColumns, _ style: CSVStyle) -> [CSVRow.Use] {
    var uses = [CSVRow.Use](repeating: .nothing, count: columns.names.count)
    for (slot, column) in CSVSlot.columns(in: columns, style) {
      uses[column] = .number(slot: slot, refusing: style.groups[column] ?? [])
    }
    if holdsHours { for column in 2..<62 { uses[column] = .text } }
    for column in time.all + [people, labels, trials].compactMap({ $0 }) { uses[column] = .text }
    if time.mayBePlain, style.timeUnit == .byItself { uses[time.column] = .time }
    return uses
  }
}

extension CSVColumns {
  fileprivate var distance: (index: Int, factor: Double)? {
    scaled { if case .distance(let factor) = $0 { factor } else { nil } }
  }

  fileprivate var speed: (index: Int, factor: Double)? {
    scaled { if case .speed(let factor) = $0 { factor } else { nil } }
  }
}
