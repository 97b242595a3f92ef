package import TextFormats
package import WorkoutSession

/// A value of a person with the day from which on it holds.
package struct DatedValue: Hashable, Sendable {
  /// The day; absent when nobody wrote it down, which comes before every day.
  package let date: CivilDate?
  /// The value, in the unit of its quantity.
  package let value: Double
  /// Whether it was measured.
  package let origin: ValueOrigin
  /// How: a test, a formula, a device; absent when nobody wrote it down.
  package let method: String?

  /// Creates a value.
  package init(date: CivilDate?, value: Double, origin: ValueOrigin, method: String?) {
    self.date = date
    self.value = value
    self.origin = origin
    self.method = method
  }

  /// The most characters of a method.
  static let longestMethod = 100

  /// Whether a text can say how a value came to be known: one line of 1 to 100 characters.
  package static func isMethod(_ text: String) -> Bool {
    (1...longestMethod).contains(text.count) && text.utf8.count <= 4 * longestMethod
      && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}

/// The values of one quantity over the years: in order of their dates, one for a day.
package struct DatedValues: Hashable, Sendable {
  /// The values, the oldest first.
  package private(set) var values: [DatedValue] = []

  /// Creates no values.
  package init() {}

  /// Takes values in any order; `nil` when two of them have the same date.
  package init?(_ values: [DatedValue]) {
    guard Set(values.map(\.date)).count == values.count else { return nil }
    self.values = values.sorted(by: Self.comesBefore)
  }

  /// Takes a value; one of the same date is replaced.
  package mutating func put(_ value: DatedValue) {
    values.removeAll { $0.date == value.date }
    values.append(value)
    values.sort(by: Self.comesBefore)
  }

  /// Takes the value of a date away; whether there was one.
  package mutating func remove(date: CivilDate) -> Bool {
    let count = values.count
    values.removeAll { $0.date == date }
    return values.count < count
  }

  /// The value in force on a day: the newest dated on or before it, else the oldest of all, which is then of a later day.
  /// `nil` when there is none.
  package func inForce(on day: CivilDate) -> (value: DatedValue, isLater: Bool)? {
    if let value = values.last(where: { value in value.date.map { $0 <= day } ?? true }) { return (value, false) }
    return values.first.map { ($0, true) }
  }

  private static func comesBefore(_ left: DatedValue, _ right: DatedValue) -> Bool {
    guard let right = right.date else { return false }
    return left.date.map { $0 < right } ?? true
  }
}
