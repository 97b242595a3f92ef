internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// Rows of a heart rate and a speed at most, of which many stand in a table of a device: they are read at once where that can be
/// done, and counted at once where nothing is odd of them. What comes of them is what every row comes to.
extension CSVScan {
  /// The same for rows of a heart rate and a speed at most, of which several are read at once where that can be done.
  mutating func consumeNarrowLines(
    _ text: Span<UInt8>, _ cursor: inout LineCursor, _ body: (Sample) throws -> Void
  ) throws {
    guard let table = decoder?.narrowTable else {
      while try takeNarrowRow(text, &cursor, body) {}
      return
    }
    var batch = self.batch.take() ?? NarrowBatch(table)
    defer { self.batch = batch }
    while cursor.index < text.count {
      let count = try consumeBatch(text, &batch, &cursor, body)
      if count == NarrowBatch.largestCount { continue }
      // What ends a batch may be one odd row; where a batch begins with one, others follow more often than not.
      for _ in 0..<(count > 0 ? 1 : 16) {
        guard try takeNarrowRow(text, &cursor, body) else { return }
      }
    }
  }

  /// Whether a row of a log of our own has no reading, so that it is left to be taken as a line.
  @inline(__always)
  private func isLost(_ row: CSVNarrowRow) -> Bool { isOwnLog && row.heartRate.isNaN && row.speed.isNaN }

  /// Takes the next of such rows alone; whether it is one.
  private mutating func takeNarrowRow(
    _ text: Span<UInt8>, _ cursor: inout LineCursor, _ body: (Sample) throws -> Void
  ) throws -> Bool {
    guard cursor.index < text.count, let (row, next) = decoder?.decodeNarrow(text, from: cursor.index),
      !isLost(row)
    else { return false }
    if try !takeInOrder(row, body) { try giveNarrow(row, cursor.place, body) }
    cursor.advance(to: next)
    return true
  }

  /// Takes as many of such rows as can be read at once; how many that were.
  private mutating func consumeBatch(
    _ text: Span<UInt8>, _ batch: inout NarrowBatch, _ cursor: inout LineCursor, _ body: (Sample) throws -> Void
  ) throws -> Int {
    let count = batch.read(text, from: cursor.index)
    if takeSteady(batch, count) {
      cursor.advance(to: batch.ends[count - 1], lines: count)
      return count
    }
    var (end, lines, taken) = (cursor.index, 0, 0)
    for index in 0..<count {
      let (time, heartRate, speed) = (batch.times[index], batch.heartRates[index], batch.speeds[index])
      guard let row = decoder?.judge(nanoseconds: time, heartRate: heartRate, speed: speed), !isLost(row) else { break }
      if try !takeInOrder(row, body) {
        cursor.advance(to: end, lines: lines)
        lines = 0
        try giveNarrow(row, cursor.place, body)
      }
      end = batch.ends[index]
      lines += 1
      taken += 1
    }
    cursor.advance(to: end, lines: lines)
    return taken
  }

  /// Counts rows of which nothing is odd, where nothing but their facts is asked for; whether they are such.
  private mutating func takeSteady(_ batch: NarrowBatch, _ count: Int) -> Bool {
    guard countsFacts, !givesSamples, count > 0,
      let first = decoder?.judge(nanoseconds: batch.times[0], heartRate: .nan, speed: .nan),
      let moved = times.steadyTimes(
        batch.times.span.extracting(first: count), firstAt: first.time, ofAtMost: largestRows)
    else { return false }
    var samples = count
    for index in 0..<count where !batch.speeds[index].isNaN { samples += 1 }
    guard facts.admitSteady(batch.heartRates.span.extracting(first: count), samples: samples, at: moved.span)
    else { return false }
    times.admit(steady: moved.span)
    return true
  }

  /// Takes such a row where it is in order and has a reading; whether it is so.
  @inline(__always)
  private mutating func takeInOrder(
    _ row: CSVNarrowRow, _ body: (Sample) throws -> Void
  ) throws -> Bool {
    let count = (row.heartRate.isNaN ? 0 : 1) &+ (row.speed.isNaN ? 0 : 1)
    guard count > 0, let span = times.admitInOrder(row.time, ofAtMost: largestRows) else { return false }
    let at = SessionTime(nanoseconds: span)
    if countsFacts { facts.admit(heartRate: row.heartRate, samples: count, at: at) }
    if givesSamples {
      if !row.heartRate.isNaN { try body(Sample(.heartRate(row.heartRate), at: at)) }
      if !row.speed.isNaN { try body(Sample(.speed(row.speed), at: at)) }
    }
    return true
  }

  /// Gives any other of such rows as every row is.
  @inline(never)
  private mutating func giveNarrow(
    _ row: CSVNarrowRow, _ place: TextLine, _ body: (Sample) throws -> Void
  ) throws {
    guard !row.heartRate.isNaN || !row.speed.isNaN else { return forgetClockBeforeFirstReading() }
    (readings.heartRate, readings.speed) = (row.heartRate, row.speed)
    _ = try give(at: row.time, place, body)
  }
}
