package import TextFormats

extension DirectionReading {
  private static let keys = names.map { JSONKey($0) }
  /// The names of its values in records and lines, in their order.
  package static let names = [
    "verticalAccuracyMeters", "speedAccuracyMetersPerSecond", "courseDegrees", "courseAccuracyDegrees",
    "headingDegrees",
    "headingAccuracyDegrees",
  ]

  /// Writes its values as members of a record or a line; one that is no finite number is absent.
  package func writeMembers(to writer: inout JSONWriter) {
    for (key, value) in zip(Self.keys, values) { writer.member(key, value.flatMap { $0.isFinite ? $0 : nil }) }
  }
}
