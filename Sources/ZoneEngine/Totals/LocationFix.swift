/// One reading of a position.
public struct LocationFix: Hashable, Sendable {
  /// Where.
  public let coordinate: Coordinate
  /// Metres above the sea, where known.
  public var altitudeMeters: Double? { altitude.value }
  /// The radius of uncertainty in metres, where known; negative means that the fix is invalid.
  public var horizontalAccuracyMeters: Double? { accuracy.value }
  /// The speed that the receiver measured, where known.
  public var speedMetersPerSecond: Double? { speed.value }

  private let altitude: KnownNumber
  private let accuracy: KnownNumber
  private let speed: KnownNumber

  /// Creates a fix.
  public init(
    coordinate: Coordinate, altitudeMeters: Double? = nil, horizontalAccuracyMeters: Double? = nil,
    speedMetersPerSecond: Double? = nil
  ) {
    self.coordinate = coordinate
    altitude = KnownNumber(altitudeMeters)
    accuracy = KnownNumber(horizontalAccuracyMeters)
    speed = KnownNumber(speedMetersPerSecond)
  }
}

/// A number that may be absent, in as much room as a number takes, so that an array of readings is half as large.
struct KnownNumber: Hashable, Sendable {
  /// A not-a-number that no calculation gives and no reader makes.
  private static let absent: UInt64 = 0x7FF4_5EED_0000_0001

  private let bits: UInt64

  /// The number, or its absence.
  init(_ value: Double?) {
    guard let value else {
      bits = Self.absent
      return
    }
    bits = value.bitPattern == Self.absent ? Double.nan.bitPattern : value.bitPattern
  }

  /// The number; `nil` when it is absent.
  var value: Double? { bits == Self.absent ? nil : Double(bitPattern: bits) }

  static func == (left: KnownNumber, right: KnownNumber) -> Bool { left.value == right.value }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
