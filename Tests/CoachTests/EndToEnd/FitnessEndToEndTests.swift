import Foundation
import Testing

@Suite("The program: fitness and form")
struct FitnessEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  private func imported(_ day: Int, _ options: [String]) throws {
    let points = (0..<60).map { Self.point(second: $0 * 20, day: day) }
    let file = program.folder.url.appendingPathComponent("\(day).gpx")
    try Data("<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>".utf8).write(to: file)
    let outcome = try program.run(["import", file.path] + options)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  private static func point(second: Int, day: Int) -> String {
    let (minute, rest) = second.quotientAndRemainder(dividingBy: 60)
    let time = "2026-11-\(day)T07:\(minute < 10 ? "0" : "")\(minute):\(rest < 10 ? "0" : "")\(rest)Z"
    let latitude = -33.81 - Double(second) * 0.00003
    return "<trkpt lat=\"\(latitude)\" lon=\"151.2\"><time>\(time)</time><hr>140</hr></trkpt>"
  }

  @Test("The goal of the only runner is shown without naming the runner, and with others in the history it is not")
  func goal() throws {
    for arguments in [
      ["profile", "create", "anna", "--birth-date", "1990-05-17"],
      ["profile", "set", "anna", "--weekly-goal", "30min"],
    ] { #expect(try program.run(arguments).status == 0) }
    try imported(10, ["--profile", "anna"])
    #expect(try program.run(["history", "fitness"]).output.contains("Goal 30 min a week: "))
    #expect(try program.run(["history", "fitness", "--person", "anna"]).output.contains("Goal 30 min a week: "))
    try imported(11, ["--age", "40"])
    #expect(try !program.run(["history", "fitness"]).output.contains("Goal 30 min a week: "))
  }

  @Test("A session in the south is found by its place")
  func south() throws {
    try imported(12, ["--age", "40"])
    let found = try program.run(["history", "find", "--near", "-33.81,151.2", "--format", "jsonl"])
    #expect(found.status == 0, "\(found.errors)")
    #expect(found.lines.count == 1)
    #expect(try program.run(["history", "find", "--near", "-34.81,151.2", "--format", "jsonl"]).lines.isEmpty)
    // A hundredth of a degree is 1.1 km.
    for (within, count) in [("300m", 0), ("2km", 1), ("1mi", 1), ("2000", 1), ("300", 0)] {
      let near = ["history", "find", "--near", "-33.80,151.2", "--within", within, "--format", "jsonl"]
      #expect(try program.run(near).lines.count == count, "\(within)")
    }
    for within in ["0m", "1ft", "far", "2000km"] {
      #expect(
        try program.run(["history", "find", "--near", "-33.80,151.2", "--within", within]).status == 64, "\(within)")
    }
  }

  @Test("A tag is found as it is printed, and whatever its case")
  func tags() throws {
    try imported(12, ["--age", "40"])
    #expect(try program.run(["history", "tag", "latest", "long"]).status == 0)
    for tag in ["long", "+long", "LONG"] {
      #expect(try program.run(["history", "find", "--tag", tag, "--format", "jsonl"]).lines.count == 1, "\(tag)")
    }
    #expect(try program.run(["history", "find", "--tag", "lon", "--format", "jsonl"]).lines.isEmpty)
  }

  @Test("A weekly goal may be said in miles")
  func miles() throws {
    #expect(
      try program.run(["profile", "create", "anna", "--birth-date", "1990-05-17", "--weekly-goal", "20mi"]).status == 0)
    let shown = try program.run(["profile", "show", "anna", "--format", "json"])
    #expect(shown.output.contains("32.187"), "\(shown.output)")
  }
}
