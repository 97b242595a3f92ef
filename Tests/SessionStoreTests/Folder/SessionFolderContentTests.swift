import SessionStore
import TestSupport
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("The files of a session as a shared log has them")
struct SessionFolderContentTests {
  private static let id = "20261120T070000Z-running-4f3a0b1c"

  private func log(_ content: SessionFolderContent, others: [SessionFolderContent.File]? = nil) -> SharedSessionLog {
    var rows: [[UInt8]] = []
    content.forEachRow { rows.append($0) }
    return SharedSessionLog(
      session: BegunSession(
        id: content.sessionID, person: nil, maker: "", request: "", createdAt: WallClockTime(nanoseconds: 0)),
      hold: nil, rows: rows, decisions: content.decisions, summary: content[SessionFolder.summary],
      others: others ?? content.others, isOver: true)
  }

  @Test(
    "Files of any size go into rows and come out again, as a folder and as bytes", arguments: 0..<20 as Range<UInt64>)
  func roundTrip(_ seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var files = [SessionFolderContent.File(SessionFolder.summary, Array("{}\n".utf8))]
    for file in SessionFile.allCases + [nil] where Bool.random(using: &generator) {
      let name = file?.name ?? SessionFolder.notes
      let count = [0, 1, 100, 16_383, 16_384, 16_385, 40_000].randomElement(using: &generator) ?? 0
      let bytes = (0..<count).map { _ in UInt8.random(in: 8...12, using: &generator) }
      files.append(SessionFolderContent.File(name, bytes))
    }
    let content = SessionFolderContent(sessionID: Self.id, files: files)
    #expect(try log(content).content() == content, "seed \(seed)")
    let folder = try ScratchFolder()
    let data = StoredPath(dataFolder: folder.path)
    try log(content).takePlace(in: data)
    #expect(try SessionFolderContent(sessionID: Self.id, in: data) == content, "seed \(seed)")
    #expect(log(content).rows.allSatisfy { $0.count <= 16_384 + 13 })
  }

  @Test("A file that no session has, and a row that would reach beyond what is allowed, are damage")
  func damaged() throws {
    let content = SessionFolderContent(
      sessionID: Self.id, files: [SessionFolderContent.File(SessionFolder.summary, Array("{}".utf8))])
    for name in ["../notes.json", "other.txt", "", "heart_rate.csv/x"] {
      #expect(throws: RecordingError.self, "\(name)") {
        try log(content, others: [SessionFolderContent.File(name, [])]).content()
      }
    }
    var far: [UInt8] = []
    SessionFileChunks.append([1].span, of: .heartRate, at: SessionFolderContent.mostBytes, to: &far)
    let rows: [[UInt8]] = [far, [16], [255] + Array(far.dropFirst())]
    for row in rows {
      let damaged = SharedSessionLog(
        session: log(content).session, hold: nil, rows: [row], decisions: [], summary: nil, others: [], isOver: false)
      #expect(throws: RecordingError.self) { try damaged.content() }
    }
  }

  @Test("The first file that differs is named, and nothing of what is the same")
  func difference() {
    func content(_ files: [(String, String)]) -> SessionFolderContent {
      SessionFolderContent(
        sessionID: Self.id, files: files.map { SessionFolderContent.File($0.0, Array($0.1.utf8)) })
    }
    let one = content([("steps.csv", "a"), ("manifest.json", "b")])
    #expect(one.firstDifference(from: content([("manifest.json", "b"), ("steps.csv", "a")])) == nil)
    #expect(one.firstDifference(from: content([("manifest.json", "b")])) == "steps.csv")
    #expect(one.firstDifference(from: content([("manifest.json", "c"), ("steps.csv", "d")])) == "manifest.json")
  }
}
