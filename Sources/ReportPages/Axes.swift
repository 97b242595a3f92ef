internal import WorkoutSession
internal import ZoneEngine

/// A vertical axis in pixels from the top, with round marks.
struct ValueAxis {
  /// The height of the plot in pixels.
  let height: Double
  /// The values at the bottom and at the top.
  let lowest, highest: Double
  /// Round values between them.
  let marks: [Double]

  /// An axis on which all of a range is seen, from a mark to a mark, with about so many marks.
  init(_ range: ClosedRange<Double>, height: Double, marks count: Int, leastStep: Double = 0) {
    let step = max(Self.roundStep((range.upperBound - range.lowerBound) / Double(max(1, count))), leastStep)
    let first = (range.lowerBound / step).rounded(.down)
    let last = max(first + 1, (range.upperBound / step).rounded(.up))
    self.height = height
    lowest = first * step
    highest = last * step
    marks = (0...Int(last - first)).map { (first + Double($0)) * step }
  }

  /// An axis between two values with marks of one's own.
  init(from lowest: Double, to highest: Double, height: Double, marks: [Double]) {
    self.height = height
    self.lowest = lowest
    self.highest = max(highest, lowest + 1e-9)
    self.marks = marks
  }

  /// The place of a value, at an edge for one beyond it.
  func y(_ value: Double) -> Double {
    height * (1 - (min(max(value, lowest), highest) - lowest) / (highest - lowest))
  }

  /// The smallest of 1, 2, 5, 10, 20, 50 … and their tenths that is not under a value; 1 for none.
  static func roundStep(_ value: Double) -> Double {
    guard value > 0, value.isFinite else { return 1 }
    var power = 1.0
    while power > value { power /= 10 }
    while power * 10 <= value { power *= 10 }
    return [1, 2, 5, 10].map { $0 * power }.first { $0 >= value * 0.999_999 } ?? power * 10
  }
}

/// A horizontal axis over the time of a session, in parts of the width.
struct TimeAxis {
  /// A round time with its label.
  struct Mark {
    let time: SessionTime
    let label: String
    /// Whether there is room for it on a narrow screen.
    let isAlwaysShown: Bool
  }

  /// The end of the session.
  let end: SessionTime
  /// Round times from the start.
  let marks: [Mark]
  /// What the labels are, such as `minutes`.
  let unit: String

  private static let steps = [
    1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400,
  ]
  private static let largestMarkCount = 13

  /// An axis to the end of a session.
  init(until end: SessionTime) {
    let end = max(end, .seconds(1))
    self.end = end
    let seconds = end.seconds
    var step = Self.steps.first { seconds / Double($0) < Double(Self.largestMarkCount) } ?? 86_400
    while seconds / Double(step) >= Double(Self.largestMarkCount) { step *= 2 }
    let label: (Int) -> String
    if step < 60 {
      unit = "minutes and seconds"
      label = { "\($0 / 60):\($0 % 60 < 10 ? "0" : "")\($0 % 60)" }
    } else if seconds <= 7_200 {
      unit = "minutes"
      label = { "\($0 / 60)" }
    } else {
      unit = "hours and minutes"
      label = { "\($0 / 3_600):\($0 / 60 % 60 < 10 ? "0" : "")\($0 / 60 % 60)" }
    }
    let isCrowded = seconds / Double(step) > 6
    marks = (0...Int(seconds / Double(step))).map { index in
      Mark(
        time: .seconds(index * step), label: label(index * step),
        isAlwaysShown: !isCrowded || index.isMultiple(of: 2))
    }
  }

  /// The place of a time from 0 to 1.
  func share(_ time: SessionTime) -> Double { min(max(0, time.seconds / end.seconds), 1) }

  /// The place of a time as a length in a drawing.
  func x(_ time: SessionTime) -> String { Length.percent(share(time)) }
}

/// Numbers and names of drawings as text.
enum Length {
  /// A number with two decimals at most.
  static func number(_ value: Double) -> String {
    var text = QuantityText.number(value, decimals: 2)
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }

  /// A whole number as people read it, with a minus sign of the width of a digit.
  static func whole(_ value: Double) -> String {
    QuantityText.signed(value, decimals: 0)
  }

  /// A text that takes at most so many scalars; a longer one is cut and says so.
  static func brief(_ text: String, longest: Int) -> String {
    let scalars = text.unicodeScalars
    guard scalars.count > longest else { return text }
    return String(String.UnicodeScalarView(scalars.prefix(max(0, longest - 1)))) + "…"
  }

  /// A part of the width of a drawing.
  static func percent(_ share: Double) -> String { number(share * 100) + "%" }
}
