@testable import CoachService
import Foundation
import Synchronization
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("An audit that cannot be written")
struct AuditLossTests {
  private final class Reports: Sendable {
    private let reported = Mutex<[String]>([])
    var lines: [String] { reported.withLock { $0 } }
    func report(_ line: String) { reported.withLock { $0.append(line) } }
  }

  @Test("Lines that are lost are counted, which is said once, and once that it is over; and again when it comes again")
  func said() throws {
    let folder = try ScratchFolder()
    let reports = Reports()
    let log = AuditLog(dataFolder: StoredPath(dataFolder: folder.path)) { reports.report($0) }
    let place = folder.path + "/" + AuditLog.fileName
    func note(_ count: Int) { for _ in 0..<count { log.note(.exported, by: nil, at: .morning(0)) } }
    note(2)
    #expect(reports.lines == [])
    #expect(log.lostCount == 0)
    let lines = try String(contentsOfFile: place, encoding: .utf8)
    #expect(lines.split(separator: "\n").count == 2)
    for round in 1...2 {
      try FileManager.default.removeItem(atPath: place)
      // A folder of that name cannot be written, whoever asks.
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
      note(3)
      #expect(log.lostCount == 3 * round)
      #expect(reports.lines.count == 2 * round - 1)
      #expect(reports.lines.last?.hasPrefix("audit.jsonl: its lines are lost until it can be written: ") == true)
      try FileManager.default.removeItem(atPath: place)
      note(2)
      #expect(reports.lines.count == 2 * round)
      #expect(reports.lines.last == "audit.jsonl: is written again")
      #expect(log.lostCount == 3 * round)
      #expect(try String(contentsOfFile: place, encoding: .utf8).split(separator: "\n").count == 2)
    }
  }

  @Test("The metrics of a service say how many lines are lost, and its answers are as ever")
  func counted() async throws {
    let folder = try ScratchFolder()
    let harness = try await ServiceHarness(folder)
    let place = harness.service.settings.dataFolder + "/" + AuditLog.fileName
    try FileManager.default.createDirectory(atPath: place.path, withIntermediateDirectories: false)
    _ = await harness.send("POST", "/auth/link/nothing")
    let head = HTTPHead(
      method: "GET", path: "/metrics", query: [], headers: [HTTPField("Host", "localhost")], address: "", byteCount: 50)
    guard case .taken(let taken) = MetricsHandler(harness.service).admit(head) else {
      Issue.record("refused")
      return
    }
    let text = await taken.answer(HTTPRequest(head)).text
    #expect(text.split(separator: "\n").contains("coach_audit_lost_total 1"), "\(text)")
    await harness.service.close()
  }
}
