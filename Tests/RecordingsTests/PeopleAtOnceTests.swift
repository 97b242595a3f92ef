@testable import Recordings
import TestSupport
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("The people of a file, read at once")
struct PeopleAtOnceTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func samples(_ recording: Recording) throws -> [Sample] {
    var result: [Sample] = []
    try recording.forEachInput { if case .sample(let sample) = $0 { result.append(sample) } }
    return result
  }

  /// Rows of several people, one after the other or mixed, some of them out of order.
  private func text(_ random: inout SplitMix64) -> String {
    var rows: [String] = []
    for person in 0..<Int.random(in: 2...9, using: &random) {
      for _ in 0..<Int.random(in: 1...120, using: &random) {
        let second = Int.random(in: 10...59, using: &random)
        let minute = 10 + rows.count / 40 % 50
        rows.append("\(person),4/12/2016 7:\(minute):\(second) AM,\(Int.random(in: 60...180, using: &random))")
      }
    }
    if Bool.random(using: &random) { rows.shuffle(using: &random) }
    return "Id,Time,Value\n" + rows.map { $0 + "\n" }.joined()
  }

  @Test("are those who are read one by one, whether the rows are sorted in memory or in a file", arguments: [3, 4, 5])
  func same(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let path = try folder.write(text(&random))
    for bytes in [32 << 20, 1_000] {
      let whole = try Recording(path: path, budget: .standard.with(\.sortedBytes, bytes))
      var people: [String] = []
      try whole.forEachPerson { person, recording in
        people.append(person)
        let alone = try Recording(path: path, person: person)
        #expect(try samples(recording) == samples(alone), "seed \(seed), person \(person), \(bytes) bytes")
        #expect(recording.people == [person])
        #expect(recording.facts.start == alone.facts.start)
        #expect(recording.facts.elapsed == alone.facts.elapsed)
        #expect(recording.facts.format == alone.facts.format)
        #expect(recording.facts.heartRate?.statistics == alone.facts.heartRate?.statistics)
        #expect(recording.facts.warnings == alone.facts.warnings, "seed \(seed), person \(person)")
      }
      #expect(people == whole.people)
    }
  }

  @Test("are refused in one line where they can be read only once")
  func once() throws {
    let text = "Id,Time,Value\n1,4/12/2016 7:21:00 AM,97\n2,4/12/2016 7:21:00 AM,98\n"
    let file = try POSIXFile(reading: folder.write(text))
    let recording = try CSVRecording(path: "pipe", form: .lines, person: nil, once: file)
    let error = #expect(throws: RecordingError.self) { try recording.forEachPerson { _ in } }
    #expect(error?.description == "pipe: rows of 2 people, and it can be read only once: expected a file")
  }

  @Test("A file that says that no person was measured says so out of order too")
  func simulated() throws {
    for rows in ["0,120,1\n1,121,1\n", "1,121,1\n0,120,1\n"] {
      let path = try folder.write("time_s,hr,simulated_by_coach\n" + rows)
      #expect(try Recording(path: path).origin == .simulated, "\(rows)")
    }
  }
}
