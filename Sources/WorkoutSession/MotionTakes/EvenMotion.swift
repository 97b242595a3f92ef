/// Motion at an even rate, made of samples as they came.
///
/// A row lies between two samples in proportion. Where nothing came for longer than ``longestGap`` no row can be known: it is left
/// out, or repeats what was measured last.
package struct EvenMotion: Sendable {
  /// Rates that somebody can ask for, in rows a second.
  package static let rates = 20.0...200.0
  /// The longest time between two samples that is interpolated, in nanoseconds; the same as where activities are recognised.
  static let longestGap: Int64 = 500_000_000

  /// The rows, in nanoseconds from the first sample.
  package private(set) var rows: [(at: Int64, reading: MotionReading)] = []
  /// How many rows repeat what was measured last.
  package private(set) var filled = 0
  /// How many are left out.
  package private(set) var leftOut = 0
  /// The rate of the samples that it was made of; absent of fewer than two.
  package let measuredHertz: Double?
  /// Whether the samples came at this rate already: each row is one of them, at its time, and none is missing.
  package private(set) var isAsMeasured = false

  /// Makes rows of samples in order of time.
  ///
  /// - Parameters:
  ///   - samples: at which times what was measured, in nanoseconds, each later than the one before.
  ///   - hertz: rows a second, in ``rates``.
  ///   - fills: whether gaps are filled with what was measured last.
  init(_ samples: [(at: Int64, reading: MotionReading)], hertz: Double, fills: Bool) {
    guard let first = samples.first, let last = samples.last, last.at > first.at else {
      (rows, measuredHertz, isAsMeasured) = (samples, nil, true)
      return
    }
    measuredHertz = Double(samples.count - 1) / (Double(last.at - first.at) / 1e9)
    var index = 0
    for row in 0... {
      let time = first.at + Int64((Double(row) * 1e9 / hertz).rounded())
      guard time <= last.at else { break }
      while index + 1 < samples.count, samples[index + 1].at <= time { index += 1 }
      let before = samples[index]
      guard time > before.at, index + 1 < samples.count else {
        rows.append((time, before.reading))
        continue
      }
      let after = samples[index + 1]
      if after.at - before.at <= Self.longestGap {
        let part = Double(time - before.at) / Double(after.at - before.at)
        rows.append((time, before.reading.between(after.reading, part)))
      } else if fills {
        rows.append((time, before.reading))
        filled += 1
      } else {
        leftOut += 1
      }
    }
    isAsMeasured = leftOut == 0 && rows.elementsEqual(samples) { $0.at == $1.at }
  }
}

extension MotionReading {
  /// What lies between this reading and a later one; absent where one of them has no value.
  fileprivate func between(_ later: MotionReading, _ part: Double) -> MotionReading {
    func between(_ old: Axes?, _ new: Axes?) -> Axes? {
      guard let old, let new else { return nil }
      return Axes(
        x: old.x + (new.x - old.x) * part, y: old.y + (new.y - old.y) * part, z: old.z + (new.z - old.z) * part)
    }
    return MotionReading(
      acceleration: between(acceleration, later.acceleration), rotationRate: between(rotationRate, later.rotationRate),
      magneticField: between(magneticField, later.magneticField))
  }
}
