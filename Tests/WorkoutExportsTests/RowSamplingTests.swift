import Testing

@testable import WorkoutExports

/// A row with an acceleration along x, a heart rate, a latitude, each where it is given.
private func row(_ seconds: Double, x: Double? = nil, beats: Double? = nil, latitude: Double? = nil) -> MeasuredRow {
  var values = [Double?](repeating: nil, count: MeasuredRow.columns)
  values[0] = x
  values[MeasuredRow.heartRate] = beats
  values[MeasuredRow.heartRate + 1] = latitude
  return MeasuredRow(time: Int64(seconds * 1e9), values: values)
}

private struct Gridded {
  var times: [Double] = []
  var x: [Double?] = []
  var beats: [Double?] = []
  var latitudes: [Double?] = []
  var resampled = 0
  var filled = 0

  init(_ rows: [MeasuredRow], rateHz: Double?, isFilled: Bool) {
    var grid = RowGrid(RowSampling(rateHz: rateHz, isFilled: isFilled))
    for row in rows { grid.take(row) { add($0) } }
    grid.finish { add($0) }
    (resampled, filled) = (grid.resampledMotions, grid.filledValues)
  }

  private mutating func add(_ row: MeasuredRow) {
    times.append(Double(row.time) / 1e9)
    x.append(row.values[0])
    beats.append(row.values[MeasuredRow.heartRate])
    latitudes.append(row.values[MeasuredRow.heartRate + 1])
  }
}

@Suite("Rows at an even rate, and rows that are filled")
struct RowSamplingTests {
  private let rows = [
    row(0, x: 0), row(0.3, x: 3), row(0.35, beats: 120), row(0.5, x: 5, latitude: 52), row(0.9, beats: 121),
  ]

  @Test("As measured, every row is there and nothing else")
  func asMeasured() {
    let found = Gridded(rows, rateHz: nil, isFilled: false)
    #expect(found.times == [0, 0.3, 0.35, 0.5, 0.9])
    #expect(found.beats == [nil, nil, 120, nil, 121])
    #expect(found.resampled == 0)
  }

  @Test("At an even rate motion is interpolated, and all else stands in the first row after it")
  func even() {
    let found = Gridded(rows, rateHz: 10, isFilled: false)
    #expect(found.times == (0...9).map { Double($0) / 10 })
    #expect(found.x.prefix(6).compactMap(\.self).map { ($0 * 1e6).rounded() / 1e6 } == [0, 1, 2, 3, 4, 5])
    // Behind the last reading of motion nothing is known of it.
    #expect(found.x.suffix(4) == [nil, nil, nil, nil])
    #expect(found.beats == [nil, nil, nil, nil, 120, nil, nil, nil, nil, 121])
    #expect(found.latitudes == [nil, nil, nil, nil, nil, 52, nil, nil, nil, nil])
    #expect(found.resampled == 3)
    #expect(found.filled == 0)
  }

  @Test("Filled rows repeat what was measured last, and never what comes later")
  func filled() {
    let found = Gridded(rows, rateHz: 10, isFilled: true)
    #expect(found.beats == [nil, nil, nil, nil, 120, 120, 120, 120, 120, 121])
    #expect(found.x.suffix(4) == [5, 5, 5, 5])
    #expect(found.latitudes.suffix(5) == [52, 52, 52, 52, 52])
    #expect(found.filled > 0)
    let asMeasured = Gridded(rows, rateHz: nil, isFilled: true)
    #expect(asMeasured.times == [0, 0.3, 0.35, 0.5, 0.9])
    #expect(asMeasured.x == [0, 3, 3, 5, 5])
  }

  @Test("Motion is not interpolated over a longer gap, and rows end in a silence of more than a minute")
  func gaps() {
    let found = Gridded(
      [row(0, x: 0), row(0.9, x: 9), row(1, x: 10), row(100, x: 1), row(100.2, x: 3)], rateHz: 10, isFilled: false)
    #expect(found.times.prefix(11) == (0...10).map { Double($0) / 10 }.prefix(11))
    #expect(found.x.prefix(10) == [0, nil, nil, nil, nil, nil, nil, nil, nil, 9])
    #expect(found.times.suffix(3) == [100, 100.1, 100.2])
    #expect(found.x.suffix(3).compactMap(\.self).map { ($0 * 1e6).rounded() / 1e6 } == [1, 2, 3])
    #expect(found.times.count == 14)
  }
}
