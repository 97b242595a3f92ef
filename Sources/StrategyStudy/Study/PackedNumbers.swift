/// Whole numbers as text, small ones short: five bits a digit, low ones first, the sixth bit says that more follow.
struct PackedNumbers {
  static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  private var bytes: [UInt8] = []

  /// The text so far.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func append(_ number: UInt32) {
    var rest = number
    while rest >= 32 {
      bytes.append(Self.digits[Int(rest & 31 | 32)])
      rest >>= 5
    }
    bytes.append(Self.digits[Int(rest)])
  }

  mutating func append(_ outcome: RunOutcome) {
    for number in [
      outcome.secondsInTarget, outcome.secondsInTargetAfterStart, (outcome.secondsToTarget ?? -1) + 1, outcome.cues,
      outcome.directionalCues, outcome.followedCues, outcome.directionChanges, outcome.checks,
      outcome.checksInTarget, outcome.midways, outcome.midwaysInTarget,
    ] {
      append(UInt32(bitPattern: number))
    }
    append(outcome.rootMeanSquareErrorBits)
    append(outcome.overshootBPM.bitPattern)
  }
}

/// Reads such numbers.
struct PackedReader {
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, digit) in PackedNumbers.digits.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()

  private let bytes: [UInt8]
  private var index = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  var isAtEnd: Bool { index == bytes.count }

  /// The next number; `nil` when there is none, or none that fits.
  mutating func number() -> UInt32? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), through: 30, by: 5) {
      guard index < bytes.count, Self.values[Int(bytes[index])] != 0xFF else { return nil }
      let digit = UInt64(Self.values[Int(bytes[index])])
      index += 1
      number |= (digit & 31) << shift
      if digit < 32 { return UInt32(exactly: number) }
    }
    return nil
  }

  /// The next outcome; `nil` when there is none, or one that cannot be.
  mutating func outcome() -> RunOutcome? {
    var numbers: [Int32] = []
    for _ in 0..<11 {
      guard let next = number(), let count = Int32(exactly: next) else { return nil }
      numbers.append(count)
    }
    guard let error = number(), let overshoot = number() else { return nil }
    var outcome = RunOutcome()
    outcome.secondsInTarget = numbers[0]
    outcome.secondsInTargetAfterStart = numbers[1]
    outcome.secondsToTarget = numbers[2] == 0 ? nil : numbers[2] - 1
    outcome.cues = numbers[3]
    outcome.directionalCues = numbers[4]
    outcome.followedCues = numbers[5]
    outcome.directionChanges = numbers[6]
    outcome.checks = numbers[7]
    outcome.checksInTarget = numbers[8]
    outcome.midways = numbers[9]
    outcome.midwaysInTarget = numbers[10]
    outcome.rootMeanSquareErrorBits = error
    outcome.overshootBPM = Float(bitPattern: overshoot)
    return outcome.rootMeanSquareErrorBPM?.isFinite != false && outcome.overshootBPM.isFinite ? outcome : nil
  }
}
