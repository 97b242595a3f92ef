private import Glibc
private import Recordings
private import TextFormats
private import WorkoutSession
private import ZoneEngine

/// Times a reader of coach inside of the process, the reading of the bytes included, and prints one JSON line:
/// `decode-benchmark JOB REPEATS FILE…`
@main
struct DecodeBenchmark {
  static func main() {
    do {
      let arguments = CommandLine.arguments.dropFirst()
      guard arguments.count >= 3, let job = Job(rawValue: arguments[1]), let repeats = Int(arguments[2]), repeats > 0
      else { throw Usage() }
      try run(job, repeats: repeats, files: Array(arguments.dropFirst(2)))
    } catch {
      let line = Array("decode-benchmark: \(error)\n".utf8)
      _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
      exit(error is Usage ? 64 : 65)
    }
  }

  private static func run(_ job: Job, repeats: Int, files: [String]) throws {
    let clock = ContinuousClock()
    var seconds: [Double] = []
    var totals = Totals()
    for _ in 0..<repeats {
      totals = Totals()
      let start = clock.now
      for file in files { try job.read(file, into: &totals) }
      let elapsed = (clock.now - start).components
      seconds.append(Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18)
    }
    if job == .csv { for file in files { try Job.csvSamples.read(file, into: &totals) } }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("job", job.rawValue)
      writer.member("peer", "coach")
      writer.member("version", "of this checkout")
      writer.member("bytes", files.reduce(0) { $0 + (bytes(of: $1) ?? 0) })
      writer.array("seconds") { for second in seconds { $0.value(second) } }
      writer.object("check") { writer in
        for (name, value) in totals.all(of: job) { writer.member(JSONKey(name), value) }
      }
    }
    print(writer.text)
  }

  private static func bytes(of path: String) -> Int? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status.st_size : nil
  }
}

struct Usage: Error, CustomStringConvertible {
  var description: String {
    "usage: decode-benchmark JOB REPEATS FILE…, JOB one of " + Job.allCases.map(\.rawValue).joined(separator: ", ")
  }
}

struct NotPlain: Error, CustomStringConvertible {
  let line: Int
  var description: String { "line \(line): expected a row of plain numbers" }
}

/// What is timed.
enum Job: String, CaseIterable {
  /// Every message walked, those that a coach needs decoded.
  case fit
  /// A file opened as `coach inspect` and `coach replay` open it: decoded, put in order, its facts counted.
  case fitImport = "fit-import"
  case gpx
  case tcx
  /// Every column of a CSV of numbers read as numbers, by the code that reads rows, without what they mean.
  case csvColumns = "csv-columns"
  /// A CSV opened: every row read, its facts counted, nothing held.
  case csv
  /// The samples of a CSV given, which reads it a second time.
  case csvSamples = "csv-samples"

  func read(_ path: String, into totals: inout Totals) throws {
    switch self {
    case .fit: try totals.decode(path, FITDecoder())
    case .gpx: try totals.decode(path, GPXDecoder())
    case .tcx: try totals.decode(path, TCXDecoder())
    case .fitImport, .csv:
      let facts = try Recording(path: path).facts
      totals.heartRateSum += facts.heartRate?.statistics.sum ?? 0
      totals.records += facts.heartRate?.statistics.count ?? 0
    case .csvColumns: try totals.readColumns(path)
    case .csvSamples:
      totals = Totals()
      try Recording(path: path).forEachInput { if case .sample(let sample) = $0 { totals.admit(sample.reading) } }
    }
  }
}

/// What came of the work, to be compared with what others came to.
struct Totals {
  var records = 0
  var heartRateSum = 0.0
  private var seconds: Int64 = 0
  private var latitude = 0.0
  private var cadence = 0.0
  private var distance = 0.0
  private var speed = 0.0
  private var steps = 0
  private var longitude = 0.0
  private var altitude = 0.0
  private var motion = 0.0

  fileprivate mutating func decode<Decoder: RecordingDecoder>(_ path: String, _ decoder: Decoder) throws {
    var decoder = decoder
    // The closure stands where it is given and keeps to local numbers: only then is it cheap for a million points.
    var (records, heartRateSum, seconds, latitude) = (0, 0.0, Int64(0), 0.0)
    let file = try POSIXFile(reading: path)
    var chunk = [UInt8](repeating: 0, count: POSIXFile.pieceBytes)
    while true {
      let read = try file.read(into: &chunk)
      guard read > 0 else { break }
      try decoder.feed(chunk.span.extracting(first: read)) { item in
        guard case .point(let point) = item else { return }
        records += 1
        if !point.heartRate.isNaN { heartRateSum += point.heartRate }
        seconds += point.time / 1_000_000_000
        latitude += point.latitude
      }
    }
    try decoder.finish { item in if case .point = item { records += 1 } }
    self.records += records
    self.heartRateSum += heartRateSum
    self.seconds += seconds
    self.latitude += latitude
  }

  /// Adds up every column; the heart rate is the one that is called so.
  fileprivate mutating func readColumns(_ path: String) throws {
    var columns = ColumnSums()
    var splitter = LineSplitter()
    let file = try POSIXFile(reading: path)
    var chunk = [UInt8](repeating: 0, count: POSIXFile.pieceBytes)
    while true {
      let read = try file.read(into: &chunk)
      guard read > 0 else { break }
      try splitter.feed(chunk.span.extracting(first: read)) {
        columns.add($0, &$1)
      } _: {
        try columns.add($0, $1)
      }
    }
    try splitter.finish { try columns.add($0, $1) }
    records += columns.rows
    heartRateSum += columns.heartRateSum
  }

  fileprivate mutating func admit(_ reading: Reading) {
    switch reading {
    case .heartRate(let beatsPerMinute):
      records += 1
      heartRateSum += beatsPerMinute
    case .steps(let count): steps += count
    case .cadence(let stepsPerMinute): cadence += stepsPerMinute
    case .distance(let meters): distance += meters
    case .speed(let metersPerSecond): speed += metersPerSecond
    case .rrInterval, .direction, .altitude: break
    case .location(let fix):
      latitude += fix.coordinate.latitudeDegrees
      longitude += fix.coordinate.longitudeDegrees
      altitude += fix.altitudeMeters ?? 0
    case .motion(let reading):
      for axes in [reading.acceleration, reading.rotationRate, reading.magneticField] {
        if let axes { motion += axes.x + axes.y + axes.z }
      }
    }
  }

  /// The numbers that a job comes to, by name.
  fileprivate func all(of job: Job) -> [(String, Double)] {
    let first = [("records", Double(records)), ("heartRate", heartRateSum)]
    switch job {
    case .fit, .fitImport, .csvColumns: return first
    case .gpx, .tcx: return first + [("time", Double(seconds)), ("latitude", latitude)]
    case .csv, .csvSamples:
      return first + [
        ("steps", Double(steps)), ("cadence", cadence), ("distance", distance), ("speed", speed),
        ("latitude", latitude), ("longitude", longitude), ("altitude", altitude), ("motion", motion),
      ]
    }
  }
}

/// The sums of the columns of a CSV of numbers, whose heart rate is called so.
private struct ColumnSums {
  private(set) var rows = 0
  private var row = CSVRow(delimiter: .comma)
  private var sums: [Double] = []
  private var heartRate = 0

  var heartRateSum: Double { sums.isEmpty ? 0 : sums[heartRate] }

  /// Adds rows that stand one after the other, as far as they are simple.
  mutating func add(_ text: Span<UInt8>, _ cursor: inout LineCursor) {
    while !sums.isEmpty, cursor.index < text.count, let next = row.readNumbers(text, from: cursor.index) {
      addNumbers()
      cursor.advance(to: next)
    }
  }

  /// Takes the header, or adds a row that stood in two pieces.
  mutating func add(_ line: Span<UInt8>, _ place: TextLine) throws {
    if place.number == 1 {
      try row.split(line)
      heartRate = (0..<row.count).first { ["hr", "heart_rate_bpm"].contains(row.string($0, in: line)) } ?? 0
      row.prepare((0..<row.count).map { .number(slot: $0) })
      sums = [Double](repeating: 0, count: row.count)
      return
    }
    guard row.readNumbers(line) else { throw NotPlain(line: place.number) }
    addNumbers()
  }

  private mutating func addNumbers() {
    for column in sums.indices { sums[column] += row.numbers[column] }
    rows += 1
  }
}
