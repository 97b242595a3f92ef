private import CMalloc
import Glibc
import LiveCoaching
import Synchronization
import TextFormats
import WorkoutSession
import ZoneEngine

/// What thousands of live sessions in one process cost, without a network: `live-benchmark FOLDER SESSIONS SECONDS MOTION`.
/// With `LIVE_ANSWERS` in the environment each answer is a line on standard output, `answered SESSION SECOND`, so that whoever
/// ends the process at some moment knows what has to be there.
///
/// With `LIVE_MOTION_LOG=binary` motion is kept in binary.
///
/// Every session gets a heart rate, steps, a position and a motion sample each second of real time, as one piece of lines; the
/// first MOTION of them a block of 100 motion samples instead of one. An answer waits for its commit.
///
/// Pieces are handed over as the service hands over what requests bring: by one thread, all that have come in a turn, each with what is
/// called once it is kept. With `LIVE_FEED=tasks` each is handed over by a task of its own that waits for its answer, as `coach live`
/// does with its only session; of thousands these tasks take more than what they wait for.
@main
struct LiveBenchmark {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let count = Int(arguments[2]), let seconds = Int(arguments[3]),
      let moving = Int(arguments[4]), count > 0, seconds > 0
    else {
      print("usage: live-benchmark FOLDER SESSIONS SECONDS MOTION")
      exit(64)
    }
    // As `coach serve` does.
    coach_prefer_shared_heaps()
    try await Run(folder: arguments[1], count: count, seconds: seconds, moving: moving).run()
  }
}

private struct Run {
  let folder: String
  let count: Int
  let seconds: Int
  let moving: Int
  /// How many times a second some of the sessions are fed.
  private static let turns = 100
  private let printsAnswers = unsafe getenv("LIVE_ANSWERS") != nil
  private let feedsByTasks = unsafe getenv("LIVE_FEED").map { unsafe String(cString: $0) } == "tasks"
  private let motionLog: MotionLogFormat =
    unsafe getenv("LIVE_MOTION_LOG").flatMap { unsafe MotionLogFormat(rawValue: String(cString: $0)) } ?? .csv

  init(folder: String, count: Int, seconds: Int, moving: Int) {
    self.folder = folder
    self.count = count
    self.seconds = seconds
    self.moving = moving
  }

  func run() async throws {
    let dataFolder = StoredPath(dataFolder: folder)
    var request = CoachingRequest()
    request.profile.ageYears = 35
    request.target = "z2"
    request.strategy = try FeedbackStrategy(specification: "period:every=60,window=60")
    let registry = SessionRegistry(
      dataFolder: dataFolder, policy: .service, shardCount: SessionRegistry.usualShardCount, limit: count,
      clock: SystemLiveClock())
    let configuration = LiveConfiguration(
      settings: try request.settings(on: nil), clock: .automatic, streams: SampleStream.recordable, durationLimit: nil)
    print("session value            \(MemoryLayout<LiveSession>.size) bytes")
    let empty = residentMegabytes()
    var begun: [RunningSession] = []
    for number in 0..<count {
      begun.append(
        try await registry.begin(
          configuration,
          recording: LiveRecording(
            dataFolder: dataFolder, request: SessionRequest(coaching: request, person: nil),
            random: UInt32(number), origin: .simulated, motionLog: motionLog)))
    }
    let sessions = begun
    // The first turn makes folders and marks, and is not measured.
    let beginning = MonotonicClock.now
    let answers = Answers()
    for start in stride(from: 0, to: count, by: 500) {
      let range = start..<min(start + 500, count)
      await feed(sessions, range, second: 0, answers, registry)
      await answers.wait(for: range.upperBound)
    }
    let started = Double(MonotonicClock.now - beginning) / 1e9
    _ = await registry.takeCommitTimes()
    _ = answers.take()

    let generated = generatorShare()
    let before = processorNanoseconds()
    let begin = MonotonicClock.now
    var descriptors = 0
    await withDiscardingTaskGroup { group in
      for turn in 0..<(seconds * Self.turns) {
        let due = begin + Int64(turn) * 1_000_000_000 / Int64(Self.turns)
        let wait = due - MonotonicClock.now
        if wait > 0 { try? await Task.sleep(for: .nanoseconds(wait)) }
        let part = turn % Self.turns
        let range = part * count / Self.turns..<(part + 1) * count / Self.turns
        let second = 1 + turn / Self.turns
        if feedsByTasks {
          group.addTask { await feed(sessions, range, second: second, answers, registry) }
        } else {
          handOver(sessions, range, second: second, answers, registry)
        }
        if turn % Self.turns == 0 { descriptors = max(descriptors, openDescriptors()) }
      }
    }
    await answers.wait(for: count * seconds)
    let elapsed = Double(MonotonicClock.now - begin)
    let share = Double(processorNanoseconds() - before) / elapsed
    let times = answers.take()
    let commits = await registry.takeCommitTimes().sorted()
    let peak = peakMegabytes()
    print("sessions                 \(count), of them \(moving) with motion at 100 Hz, in \(motionLog.rawValue)")
    print("fed by                   \(feedsByTasks ? "a task for each piece" : "turns, as the service does")")
    print("started in               \(decimal(started)) s")
    print("elapsed                  \(decimal(elapsed / 1e9)) s")
    print("pieces answered          \(times.sorted.count), \(times.problems) not kept")
    print("processor                \(decimal(share * 100)) % of a core")
    print("of that to make lines    \(decimal(generated * 100)) %")
    print("memory                   \(decimal(peak)) MiB at most, \(decimal(empty)) MiB before the sessions")
    print("descriptors              \(descriptors) at most")
    print("commits                  \(commits.count), \(spread(commits))")
    print("sample to answer         \(spread(times.sorted))")
    print("due times waiting        \(await registry.dueCount)")
    guard times.problems == 0, times.sorted.count == count * seconds else { exit(1) }
    // The sessions stay as a process leaves them that is gone.
  }

  private func feed(
    _ sessions: [RunningSession], _ range: Range<Int>, second: Int, _ answers: Answers, _ registry: SessionRegistry
  ) async {
    guard feedsByTasks else { return handOver(sessions, range, second: second, answers, registry) }
    await withDiscardingTaskGroup { group in
      for index in range {
        group.addTask {
          let bytes = lines(index, second: second)
          let begin = MonotonicClock.now
          note(await sessions[index].feed(bytes, now: SystemWallClock.now()), of: index, second, since: begin, answers)
        }
      }
    }
  }

  /// Hands over a piece for each of the sessions in one turn, without waiting for what comes of it.
  private func handOver(
    _ sessions: [RunningSession], _ range: Range<Int>, second: Int, _ answers: Answers, _ registry: SessionRegistry
  ) {
    registry.beginGathering()
    for index in range {
      let bytes = lines(index, second: second)
      let begin = MonotonicClock.now
      sessions[index].take(request: bytes, batch: nil, from: LiveFeed(source: 0), now: SystemWallClock.now()) {
        note($0, of: index, second, since: begin, answers)
      }
    }
    registry.takeGathered()
  }

  private func note(_ report: LiveReport, of index: Int, _ second: Int, since begin: Int64, _ answers: Answers) {
    let isKept = report.recording == nil && !report.isLost && report.badLines.isEmpty
    answers.note(MonotonicClock.now - begin, isKept: isKept)
    if printsAnswers, isKept { say("answered \(index) \(second)\n") }
  }

  /// What a session sends in a second.
  private func lines(_ index: Int, second: Int) -> [UInt8] {
    var time: [UInt8] = []
    SystemWallClock.now().appendISO8601(to: &time)
    let stamp = String(decoding: time, as: UTF8.self)
    let bpm = 110 + (index + second) % 40
    var text = "{\"type\":\"heartRate\",\"time\":\"\(stamp)\",\"beatsPerMinute\":\(bpm)}\n"
    text += "{\"type\":\"steps\",\"time\":\"\(stamp)\",\"count\":\(2 + second % 2)}\n"
    text += "{\"type\":\"location\",\"time\":\"\(stamp)\",\"latitude\":46.77\(second % 60 + 10),\"longitude\":23.5}\n"
    if index < moving {
      let samples = (0..<100).map { "[0.01,-0.98,0.\(10 + $0)]" }.joined(separator: ",")
      text += "{\"type\":\"motion\",\"time\":\"\(stamp)\",\"rateHz\":100,\"acceleration\":[\(samples)]}\n"
    } else {
      text += "{\"type\":\"motion\",\"time\":\"\(stamp)\",\"acceleration\":[0.01,-0.98,0.1]}\n"
    }
    return Array(text.utf8)
  }

  /// The share of a core that making the lines takes.
  private func generatorShare() -> Double {
    let begin = processorNanoseconds()
    var bytes = 0
    for index in 0..<count { bytes += lines(index, second: index % 60).count }
    precondition(bytes > 0, "lines have bytes")
    return Double(processorNanoseconds() - begin) / 1e9
  }
}

/// Writes a line at once, in one piece.
private func say(_ line: String) {
  let bytes = Array(line.utf8)
  try? POSIXFile(borrowing: 1, named: "standard output").write(bytes.span)
}

/// How long answers took.
private final class Answers: Sendable {
  private let times = Mutex<(sorted: [Int64], problems: Int)>(([], 0))

  func note(_ nanoseconds: Int64, isKept: Bool) {
    times.withLock {
      $0.sorted.append(nanoseconds)
      if !isKept { $0.problems += 1 }
    }
  }

  /// Waits until there are so many, for ten seconds at most.
  func wait(for count: Int) async {
    let end = MonotonicClock.now + 10_000_000_000
    while times.withLock({ $0.sorted.count }) < count, MonotonicClock.now < end {
      try? await Task.sleep(for: .milliseconds(2))
    }
  }

  func take() -> (sorted: [Int64], problems: Int) {
    times.withLock { times in
      defer { times = ([], 0) }
      return (times.sorted.sorted(), times.problems)
    }
  }
}

private func processorNanoseconds() -> Int64 {
  var usage = rusage()
  unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return Int64(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1_000_000_000
    + Int64(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1_000
}

private func peakMegabytes() -> Double {
  var usage = rusage()
  unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return Double(usage.ru_maxrss) / 1024
}

private func residentMegabytes() -> Double { peakMegabytes() }

private func openDescriptors() -> Int { (try? FileSystem.list("/proc/self/fd").count) ?? 0 }

private func milliseconds(_ sorted: [Int64], _ share: Double) -> String {
  guard !sorted.isEmpty else { return "–" }
  let index = min(sorted.count - 1, Int(Double(sorted.count) * share))
  return decimal(Double(sorted[index]) / 1e6) + " ms"
}

private func spread(_ sorted: [Int64]) -> String {
  "p50 \(milliseconds(sorted, 0.5)), p99 \(milliseconds(sorted, 0.99)), largest \(milliseconds(sorted, 1))"
}

private func decimal(_ value: Double) -> String {
  let tenths = Int((value * 10).rounded())
  return "\(tenths / 10).\(tenths % 10)"
}
