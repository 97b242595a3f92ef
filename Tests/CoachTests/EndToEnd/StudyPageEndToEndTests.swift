import Foundation
import Testing

@Suite("The program: the page of a study")
struct StudyPageEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  private static let arms = ["none", "moment:every=120", "period:every=60,window=60"]
  private static let options =
    ["study", "--age", "23", "--minutes", "10", "--runners", "37", "--seed", "5"] + arms.flatMap { ["--arm", $0] }

  private func path(_ name: String) -> String { program.folder.url.appendingPathComponent(name).path }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: program.folder.url.path)
      .filter { !$0.hasPrefix("std") && $0 != "data" }.sorted()
  }

  private func page(_ arguments: [String], _ name: String) throws -> PageNode {
    let outcome = try program.run(arguments + ["--output", path(name)])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.isEmpty, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path(name)))
    let tree = try PageTree.read(Array(bytes))
    checkPage(Array(bytes), tree)
    return tree
  }

  /// Whether a cell shows a value rounded to so many decimals.
  private func shows(_ cell: String, _ value: Any?, scale: Double = 1, decimals: Double = 1) -> Bool {
    guard let value = value as? Double else { return cell == "–" }
    let text = cell.filter { $0 != " " && $0 != "%" && $0 != "+" }.replacingOccurrences(of: "−", with: "-")
    guard let shown = Double(text) else { return false }
    return abs(shown - value * scale) <= 0.5 / pow(10, decimals) + 1e-9
  }

  private func showsInterval(_ cell: String, _ value: Any?) -> Bool {
    guard let values = value as? [Double] else { return cell == "–" }
    let ends = cell.split(separator: cell.contains("…") ? "…" : "–").map(String.init)
    return ends.count == 2 && shows(ends[0], values[0], scale: 100) && shows(ends[1], values[1], scale: 100)
  }

  @Test("The numbers on the page are those of the record and of the table of the runners")
  func numbers() throws {
    let outcome = try program.run(Self.options + ["--format", "json", "--traces", "1", "--csv", path("runners.csv")])
    let record = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    let section = try #require(try page(Self.options, "study.html").element(id: "result-1"))
    let arms = try #require(record["arms"] as? [[String: Any]])
    for (index, arm) in arms.enumerated() {
      let times = section.rows[index]
      let time = try #require(arm["timeInTarget"] as? [String: Any])
      let later = try #require(arm["timeInTargetAfter3Minutes"] as? [String: Any])
      #expect(times[0] == arm["arm"] as? String)
      #expect(shows(times[1], time["mean"], scale: 100))
      #expect(showsInterval(times[2], time["confidence95"]))
      #expect(shows(times[3], time["monteCarloError"], scale: 100, decimals: 2))
      #expect(shows(times[4], time["standardDeviation"], scale: 100, decimals: 2))
      #expect(shows(times[5], later["mean"], scale: 100))
      #expect(showsInterval(times[6], later["confidence95"]))
      #expect(shows(times[7], arm["reachedShare"], scale: 100, decimals: 0))
      let others = section.rows[3 + index]
      let keys = [
        "rmseBPM", "overshootBPM", "secondsToTarget", "cuesPerHour", "directionalCuesPerHour",
        "directionChangesPerHour",
      ]
      for (cell, key) in zip(others.dropFirst(), keys) {
        #expect(shows(cell, arm[key], decimals: key == "secondsToTarget" ? 0 : 1), "\(key)")
      }
      #expect(shows(others[7], arm["checkMinusMidway"], scale: 100))
      #expect(showsInterval(others[8], arm["checkMinusMidwayConfidence95"]))
      #expect(shows(others[9], arm["followedShare"], scale: 100, decimals: 0))
    }
    let contrasts = try #require(record["contrasts"] as? [[String: Any]])
    let differences = try differences(in: path("runners.csv"))
    #expect(contrasts.count == 3)
    for (index, contrast) in contrasts.enumerated() {
      let row = section.rows[6 + index]
      let (a, b) = (try #require(contrast["a"] as? String), try #require(contrast["b"] as? String))
      #expect(row[0] == a)
      #expect(row[1] == b)
      #expect(shows(row[2], contrast["meanDifference"], scale: 100))
      #expect(showsInterval(row[3], contrast["confidence95"]))
      #expect(shows(row[4], contrast["monteCarloError"], scale: 100, decimals: 2))
      #expect(shows(row[5], contrast["standardDeviation"], scale: 100, decimals: 2))
      #expect(shows(row[6], contrast["shareBetter"], scale: 100, decimals: 0))
      for (cell, key) in [(row[8], "p"), (row[9], "pHolm")] {
        #expect(cell == "<0.001" ? (contrast[key] as? Double ?? 1) < 0.001 : shows(cell, contrast[key], decimals: 3))
      }
      // The bars, counted from the table of the runners.
      let own = differences(a, b)
      let figure = try #require(section.elements("figure").first { $0.elements("h4").first?.text == "\(a) less \(b)" })
      let words =
        "Better for \(own.count { $0 > 0 }), the same for \(own.count { $0 == 0 }), worse for \(own.count { $0 < 0 }) of 37 "
      #expect(figure.text.contains(words), "\(words)")
      let labels = figure.elements("text", class: "mid").filter { $0.attributes["dy"] == "18" }.map(\.text)
      let edges = try labels.map { try #require(Double($0.replacingOccurrences(of: "−", with: "-"))) }
      let shown = figure.elements("text", class: "strong").compactMap { Int($0.text) }
      #expect(shown.count == edges.count)
      for (place, edge) in edges.enumerated() {
        let count = own.count { difference in
          if edge == 0 { return difference == 0 }
          return edge > 0
            ? difference > edges[place - 1] && difference <= edge : difference < edges[place + 1] && difference >= edge
        }
        #expect(shown[place] == count, "\(a) less \(b) at \(edge)")
      }
    }
    // Every cue of the example is a mark.
    let traces = try #require(record["traces"] as? [[String: Any]])
    let drawings = section.elements("svg", class: "plot").filter {
      $0.attributes["aria-labelledby"]?.hasPrefix("result-1-example-") == true
    }
    #expect(traces.count == 3)
    #expect(drawings.count == 3)
    for (trace, drawing) in zip(traces, drawings) {
      let cues = (trace["cues"] as? [[String: Any]] ?? []).compactMap { $0["action"] as? String }
      for action in ["speedUp", "hold", "slowDown"] {
        #expect(
          drawing.elements("use").count { $0.attributes["href"] == "#cue-\(action)" } == cues.count { $0 == action })
      }
    }
  }

  /// The differences of the runners between two arms in percentage points, from the table.
  private func differences(in path: String) throws -> (String, String) -> [Double] {
    var shares: [String: [Double]] = [:]
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst() {
      // activity,"behaviour","arm",runner,session,seconds,seconds_in_target,…
      let quoted = line.split(separator: "\"", omittingEmptySubsequences: false)
      let arm = quoted.count > 4 ? String(quoted[3]) : ""
      let numbers = (quoted.last ?? "").split(separator: ",")
      guard quoted.count > 4, numbers.count > 3, numbers[1] == "paired", let seconds = Double(numbers[2]),
        let inTarget = Double(numbers[3])
      else { continue }
      shares[arm, default: []].append(100 * inTarget / seconds)
    }
    #expect(shares.values.allSatisfy { $0.count == 37 })
    #expect(shares.count == 3)
    return { a, b in zip(shares[a] ?? [], shares[b] ?? []).map { $0 - $1 } }
  }

  @Test("Shards make the same page, on any number of threads, and --traces shows more runners")
  func shards() throws {
    _ = try page(Self.options + ["--threads", "1"], "whole.html")
    var parts: [String] = []
    for number in 1...3 {
      parts.append(path("part\(number).json"))
      #expect(try program.run(Self.options + ["--shard", "\(number)/3", "--output", parts[number - 1]]).status == 0)
    }
    _ = try page(["study", "merge"] + parts, "merged.HTML")
    let whole = try Data(contentsOf: URL(fileURLWithPath: path("whole.html")))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path("merged.HTML"))) == whole)
    _ = try page(Self.options + ["--traces", "2", "--threads", "3"], "two.html")
    let two = try page(["study", "merge"] + parts + ["--traces", "2"], "two-merged.html")
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: path("two.html")))
        == Data(contentsOf: URL(fileURLWithPath: path("two-merged.html"))))
    #expect(two.elements("h4").count { $0.text.hasSuffix(", runner 2") } == 3)
  }

  @Test("A page that is there is kept unless it is to be replaced, and stays when the disk is full")
  func replaced() throws {
    let file = try program.folder.write("mine", to: "page.html")
    let kept = try program.run(Self.options + ["--output", file])
    #expect(kept.status == 73)
    #expect(kept.isOneComplaint)
    #expect(kept.errors.contains("--force"))
    let full = try program.run(
      Self.options + ["--output", file, "--force"], before: "trap '' XFSZ; ulimit -f 40;")
    #expect(full.status == 74, "\(full.errors)")
    #expect(full.isOneComplaint, "\(full.errors)")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    #expect(try program.run(Self.options + ["--output", file, "--force"]).status == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try names() == ["page.html"])
  }

  @Test("What cannot be a page is one line with its exit code, and leaves nothing")
  func refusals() throws {
    let cases: [([String], Int32, String)] = [
      (["--format", "json", "--output", path("x.html")], 64, "--format"),
      (["--format", "text", "--output", path("x.html")], 64, "--format"),
      (["--shard", "1/2", "--output", path("x.html")], 64, "--shard"),
      (["--output", path("none/x.html")], 73, path("none/x.html")),
    ]
    for (arguments, status, word) in cases {
      let outcome = try program.run(Self.options + arguments)
      #expect(outcome.status == status, "\(arguments): \(outcome.status) \(outcome.errors)")
      #expect(outcome.isOneComplaint, "\(arguments): \(outcome.status) \(outcome.errors)")
      #expect(outcome.errors.contains(word), "\(arguments): \(outcome.errors)")
      #expect(outcome.output.isEmpty, "\(arguments): \(outcome.errors)")
    }
    let merge = try program.run(["study", "merge", path("p.json"), "--format", "jsonl", "--output", path("x.html")])
    #expect(merge.status == 64)
    #expect(merge.isOneComplaint)
    // A name that ends otherwise is no page, whatever it holds.
    #expect(try program.run(Self.options + ["--output", path("html")]).status == 0)
    #expect(try String(contentsOfFile: path("html"), encoding: .utf8).hasPrefix("run, reflex"))
    #expect(try names() == ["html"])
  }
}
