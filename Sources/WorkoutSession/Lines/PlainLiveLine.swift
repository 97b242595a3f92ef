internal import TextFormats
internal import ZoneEngine

/// A sample as most senders write it, read in one go: every member known and there once, texts and numbers plain.
///
/// Everything else is left to the careful way, which says what is wrong; both come to the same, and tests hold them together.
/// A plain number has at most 15 digits before its point, so that each is one that the raw log holds.
struct PlainLiveLine {
  /// The members that are known.
  private enum Key: Int, CaseIterable {
    case type, time, atSeconds, source, beatsPerMinute, rrMilliseconds, count
    case latitude, longitude, altitudeMeters, horizontalAccuracyMeters, speedMetersPerSecond
    case verticalAccuracyMeters, speedAccuracyMetersPerSecond, courseDegrees, courseAccuracyDegrees, headingDegrees
    case headingAccuracyDegrees
    case rateHz, acceleration, rotationRate, magneticField
  }

  /// What a sensor measured on three axes: once, or many times.
  private enum Measured {
    case once(Axes)
    case often([Axes])
  }

  /// How many samples a block has room for at first: a second at 100 Hz.
  private static let usualCount = 100
  private static let keys = PlainWords(Key.allCases.map { "\($0)" })
  private static let kinds = LiveLine.Kind.allCases
  private static let kindWords = PlainWords(kinds.map(\.rawValue))

  private var reader = PlainJSONReader()
  private var kind: LiveLine.Kind?
  private var stamp: Stamp?
  private var source: String?
  private var numbers = InlineArray<22, Double>(repeating: 0)
  private var isKnown = InlineArray<22, Bool>(repeating: false)
  private var intervals: [Double] = []
  private var measured = InlineArray<3, Measured?>(repeating: nil)

  private init() {}

  /// Reads a line; `nil` when it has to be read carefully.
  static func read(_ bytes: Span<UInt8>) -> LiveLine? {
    var line = PlainLiveLine()
    guard bytes.count <= LiveLine.longest, line.readMembers(bytes) else { return nil }
    return line.sample.map { .sample($0) }
  }

  // MARK: - Members

  private mutating func readMembers(_ bytes: Span<UInt8>) -> Bool {
    guard reader.take(UInt8(ascii: "{"), bytes) else { return false }
    repeat {
      guard let name = reader.text(bytes), let place = Self.keys.index(of: name, bytes), let key = Key(rawValue: place),
        !isKnown[place], reader.take(UInt8(ascii: ":"), bytes)
      else { return false }
      isKnown[key.rawValue] = true
      guard read(key, bytes) else { return false }
    } while reader.take(UInt8(ascii: ","), bytes)
    return reader.take(UInt8(ascii: "}"), bytes) && reader.isAtEnd(bytes)
  }

  private mutating func read(_ key: Key, _ bytes: Span<UInt8>) -> Bool {
    switch key {
    case .type:
      guard let text = reader.text(bytes), let place = Self.kindWords.index(of: text, bytes) else { return false }
      kind = Self.kinds[place]
      return true
    case .time:
      guard !isKnown[Key.atSeconds.rawValue], let text = reader.text(bytes), text.count <= LiveLine.longestToken,
        let time = WallClockTimeText(iso8601: bytes.extracting(text))
      else { return false }
      stamp = .wall(time.time)
      return true
    case .atSeconds:
      guard !isKnown[Key.time.rawValue], let number = reader.number(bytes),
        let nanoseconds = DecimalText.exactNanoseconds(from: bytes.extracting(number.place)),
        LiveLine.sessionNanoseconds.contains(nanoseconds)
      else { return false }
      stamp = .session(SessionTime(nanoseconds: nanoseconds))
      return true
    case .source:
      guard let text = reader.text(bytes), !text.isEmpty, text.count <= LiveLine.longestToken,
        let span = try? UTF8Span(validating: bytes.extracting(text))
      else { return false }
      source = String(copying: span)
      return true
    case .rrMilliseconds: return readIntervals(bytes)
    case .acceleration: return read(axes: 0, bytes)
    case .rotationRate: return read(axes: 1, bytes)
    case .magneticField: return read(axes: 2, bytes)
    case .beatsPerMinute, .count, .latitude, .longitude, .altitudeMeters, .horizontalAccuracyMeters,
      .speedMetersPerSecond, .rateHz, .verticalAccuracyMeters, .speedAccuracyMetersPerSecond, .courseDegrees,
      .courseAccuracyDegrees, .headingDegrees, .headingAccuracyDegrees:
      guard let number = reader.number(bytes) else { return false }
      numbers[key.rawValue] = number.value
      return true
    }
  }

  private mutating func readIntervals(_ bytes: Span<UInt8>) -> Bool {
    guard reader.take(UInt8(ascii: "["), bytes) else { return false }
    if reader.take(UInt8(ascii: "]"), bytes) { return true }
    repeat {
      guard intervals.count < LiveLine.intervalCounts.upperBound, let number = reader.number(bytes),
        LiveLine.intervalMilliseconds.contains(number.value)
      else { return false }
      intervals.append(number.value)
    } while reader.take(UInt8(ascii: ","), bytes)
    return reader.take(UInt8(ascii: "]"), bytes)
  }

  private mutating func read(axes place: Int, _ bytes: Span<UInt8>) -> Bool {
    guard reader.take(UInt8(ascii: "["), bytes) else { return false }
    guard reader.peek(bytes) == UInt8(ascii: "[") else {
      guard let axes = readAxes(bytes) else { return false }
      measured[place] = .once(axes)
      return true
    }
    var many: [Axes] = []
    many.reserveCapacity(Self.usualCount)
    repeat {
      guard many.count < MotionBlock.counts.upperBound, reader.take(UInt8(ascii: "["), bytes),
        let axes = readAxes(bytes)
      else { return false }
      many.append(axes)
    } while reader.take(UInt8(ascii: ","), bytes)
    measured[place] = .often(many)
    return reader.take(UInt8(ascii: "]"), bytes)
  }

  /// Reads three numbers and the bracket behind them.
  private mutating func readAxes(_ bytes: Span<UInt8>) -> Axes? {
    reader.threeNumbers(bytes).map { Axes(x: $0, y: $1, z: $2) }
  }

  // MARK: - The sample

  private func number(_ key: Key) -> Double? { isKnown[key.rawValue] ? numbers[key.rawValue] : nil }

  private var sample: LiveSample? {
    guard let kind, let stamp else { return nil }
    switch kind {
    case .heartRate:
      guard let beatsPerMinute = number(.beatsPerMinute) else { return nil }
      return LiveSample(
        .heartRate(beatsPerMinute), at: stamp, source: source, beside: intervals.map { .rrInterval($0) })
    case .steps:
      guard let count = number(.count).flatMap({ Int(exactly: $0) }), Reading.stepCounts.contains(count) else {
        return nil
      }
      return LiveSample(.steps(count), at: stamp, source: source)
    case .location where !isKnown[Key.latitude.rawValue] && !isKnown[Key.longitude.rawValue], .altitude:
      return number(.altitudeMeters).map { LiveSample(.altitude($0), at: stamp, source: source) }
    case .location:
      guard let latitude = number(.latitude), let longitude = number(.longitude),
        let coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
      else { return nil }
      let fix = LocationFix(
        coordinate: coordinate, altitudeMeters: number(.altitudeMeters),
        horizontalAccuracyMeters: number(.horizontalAccuracyMeters),
        speedMetersPerSecond: number(.speedMetersPerSecond))
      return LiveSample(.location(fix), at: stamp, source: source, beside: direction)
    case .motion: return motion(at: stamp)
    // Few senders have lines of these.
    case .cadence, .distance, .speed, .rrInterval, .direction: return nil
    case .command: return nil
    }
  }

  /// The direction of the position, where one of its values is there.
  private var direction: [Reading] {
    var isThere = false
    for key in Key.verticalAccuracyMeters.rawValue...Key.headingAccuracyDegrees.rawValue {
      isThere = isThere || isKnown[key]
    }
    guard isThere else { return [] }
    let values = [
      number(.verticalAccuracyMeters), number(.speedAccuracyMetersPerSecond), number(.courseDegrees),
      number(.courseAccuracyDegrees), number(.headingDegrees), number(.headingAccuracyDegrees),
    ]
    return DirectionReading(values).map { [.direction($0)] } ?? []
  }

  private func motion(at stamp: Stamp) -> LiveSample? {
    var once = InlineArray<3, Axes?>(repeating: nil)
    var often = InlineArray<3, [Axes]?>(repeating: nil)
    var count: Int?
    for place in 0..<3 {
      switch measured[place] {
      case nil: break
      case .once(let axes)?: once[place] = axes
      case .often(let many)?:
        guard count ?? many.count == many.count else { return nil }
        count = many.count
        often[place] = many
      }
    }
    let single = MotionReading(acceleration: once[0], rotationRate: once[1], magneticField: once[2])
    let isSingle = once[0] != nil || once[1] != nil || once[2] != nil
    guard let count else {
      return isSingle ? LiveSample(.motion(single), at: stamp, source: source) : nil
    }
    guard !isSingle, let rateHz = number(.rateHz) else { return nil }
    let (acceleration, rotationRate, magneticField) = (often[0], often[1], often[2])
    let readings = (0..<count).map { index in
      MotionReading(
        acceleration: acceleration?[index], rotationRate: rotationRate?[index], magneticField: magneticField?[index])
    }
    guard let block = MotionBlock(readings, rateHz: rateHz) else { return nil }
    return LiveSample(.motion(readings[0]), at: stamp, source: source, block: block)
  }
}
