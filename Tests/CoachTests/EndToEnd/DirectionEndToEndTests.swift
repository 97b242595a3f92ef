import Foundation
import Testing

@Suite("The program: course, heading and accuracies")
struct DirectionEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  private static let options = ["live", "--age", "23", "--target", "z2", "--format", "jsonl"]

  /// A run of a minute to the north-east; `more` stands in each line with a position.
  private static func input(_ more: (Int) -> String) -> String {
    (0..<60).map { second in
      let time = String(format: "2026-03-20T07:00:%02dZ", second)
      return #"{"type":"heartRate","time":"\#(time)","beatsPerMinute":\#(120 + second / 3)}"# + "\n"
        + #"{"type":"location","time":"\#(time)","latitude":\#(52.5 + Double(second) / 50_000),"longitude":13.4,"#
        + #""altitudeMeters":34,"horizontalAccuracyMeters":5,"speedMetersPerSecond":2.25\#(more(second))}"# + "\n"
    }.joined()
  }

  /// What was decided; the last records name the session and say why it ended.
  private func decided(_ outcome: CoachProgram.Outcome) -> [Substring] {
    outcome.lines.filter { !$0.contains(#""type":"summary""#) && !$0.contains(#""type":"ended""#) }
  }

  private func text(_ path: URL) throws -> String { try String(contentsOf: path, encoding: .utf8) }

  @Test("What a device says beside a position is kept as it came, decides nothing, and comes back from the tables")
  func kept() throws {
    func more(_ second: Int) -> String {
      second % 2 == 0
        ? #","courseDegrees":\#(180 + second),"verticalAccuracyMeters":3.5"#
        : #","headingDegrees":-1,"headingAccuracyDegrees":12.25,"speedAccuracyMetersPerSecond":0.5,"courseAccuracyDegrees":7"#
    }
    let plain = try program.run(Self.options + ["--no-save"], input: Self.input { _ in "" })
    let outcome = try program.run(Self.options, input: Self.input(more))
    #expect(decided(outcome) == decided(plain))
    #expect(!decided(outcome).isEmpty)
    let session = try program.session()
    let rows = try text(session.appendingPathComponent("direction.csv")).split(separator: "\n").map(String.init)
    #expect(rows.count == 61)
    #expect(
      rows.prefix(3) == [
        "time,at_s,vertical_accuracy_m,speed_accuracy_m_s,course_deg,course_accuracy_deg,heading_deg,heading_accuracy_deg",
        "2026-03-20T07:00:00Z,0,3.5,,180,,,", "2026-03-20T07:00:01Z,1,,0.5,,7,-1,12.25",
      ])
    let replayed = try program.run(["replay", session.path, "--format", "jsonl"])
    #expect(decided(replayed) == decided(outcome))

    let table = program.folder.url.appendingPathComponent("table.csv")
    let exported = try program.run([
      "history", "export", session.lastPathComponent, "--as", "csv", "--output", table.path,
    ])
    #expect(exported.status == 0, "\(exported.errors)")
    let sensoGather = program.folder.url.appendingPathComponent("senso")
    try FileManager.default.createDirectory(at: sensoGather, withIntermediateDirectories: true)
    let senso = sensoGather.appendingPathComponent("rows.csv")
    _ = try program.run(
      ["history", "export", session.lastPathComponent, "--as", "sensogather-csv", "--output", senso.path])
    let columns = try text(senso).split(separator: "\n").dropFirst().prefix(2).map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    try #require(columns.count == 2)
    // Altitude and its accuracy, speed and its, course and its, heading and its.
    #expect(columns[0].suffix(8) == ["34", "3.5", "2.25", "N/A", "180", "N/A", "N/A", "N/A"])
    #expect(columns[1].suffix(8) == ["34", "N/A", "2.25", "0.5", "N/A", "7", "N/A", "12.25"])

    // What is below 0 means absence in tables, so that it is not written.
    let expected = rows.map { $0.replacingOccurrences(of: ",-1,", with: ",,") }
    for (place, file) in [table, senso].enumerated() {
      let other = program.folder.url.appendingPathComponent("other-\(place)").path
      let imported = try program.run(["import", file.path, "--age", "23", "--data-dir", other])
      #expect(imported.status == 0, "\(imported.errors)")
      let folder = try #require(try FileManager.default.contentsOfDirectory(atPath: other + "/sessions").first)
      let again = try text(URL(fileURLWithPath: other + "/sessions/\(folder)/direction.csv"))
      #expect(again.split(separator: "\n").map(String.init) == expected, "\(file.lastPathComponent)")
    }
  }

  @Test("Formats without a place for it say what they leave out", arguments: ["gpx", "tcx", "fit"])
  func losses(format: String) throws {
    _ = try program.run(Self.options, input: Self.input { #","courseDegrees":\#($0)"# })
    let session = try program.session().lastPathComponent
    let file = program.folder.url.appendingPathComponent("run.\(format)").path
    let outcome = try program.run(["history", "export", session, "--as", format, "--output", file])
    #expect(outcome.status == 0)
    #expect(
      outcome.errors.contains("courses, headings and their accuracies: 60 readings left out"), "\(outcome.errors)")
  }

  @Test("It is not kept where positions are not")
  func unwanted() throws {
    let outcome = try program.run(
      Self.options + ["--streams", "heart-rate"], input: Self.input { #","courseDegrees":\#($0)"# })
    #expect(outcome.status == 0, "\(outcome.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: program.session().path)
    #expect(!names.contains("direction.csv"))
    #expect(!names.contains("location.csv"))
    #expect(names.contains("heart_rate.csv"))
  }
}
