@testable import ReportPages
import StrategyStudy
import Testing
import TextFormats
import ZoneEngine

@Suite("The page of a study")
struct StudyPageTests {
  private static let model = """
    "model": {"restingHeartRateBPM": {"value": 61.25, "spread": 8, "source": "<Some & body>"},
              "gradeNoise": {"value": 0.01, "assumption": "]]>"}}
    """

  private static func text(arms: String, behaviours: String = #""reflex""#, more: String = "") -> String {
    """
    {"version": 1, "seed": 7, "runners": 30, "ageYears": 23, \(more)"behaviours": [\(behaviours)],
     "courses": [{"activity": "walk", "target": "weight-control", "seconds": 600, "arms": [\(arms)], \(model)},
                 {"activity": "run", "target": "119-137", "seconds": 300, "arms": [\(arms)]}]}
    """
  }

  private static let three = #""none",{"name":"<b>M</b>","strategy":"moment:every=60"},"period:every=60,window=60""#

  private func results(_ text: String) throws -> [StudyResult] {
    let study = try Study(json: text.utf8.span)
    let outcomes = try #require(StudySimulation.run(study, runners: 0..<study.runners, threads: 1) { _ in true })
    return StudyAnalysis.results(of: outcomes)
  }

  private func page(
    _ text: String, exampleRunners: Int = 1
  ) throws -> (bytes: [UInt8], tree: PageNode, results: [StudyResult]) {
    let results = try results(text)
    let bytes = StudyPage(results, exampleRunners: exampleRunners).bytes
    return (bytes, try PageTree.read(bytes), results)
  }

  @Test("A table of one arm has room on a phone, and keys do not stop there; one of several may scroll")
  func oneArm() throws {
    let behaviours = #""reflex","visible+anticipate:rho=1,lead=15""#
    for (arms, areas) in [(#""none""#, 0), (Self.three, 4)] {
      let (bytes, tree, _) = try page(Self.text(arms: arms, behaviours: behaviours))
      checkPage(bytes, tree)
      let overview = try #require(tree.element(id: "overview"))
      #expect(overview.elements("table").count == max(2, areas))
      #expect(overview.all.count { $0.attributes["tabindex"] != nil } == areas)
      #expect(overview.elements("table", class: "single").count == 2 - min(2, areas))
    }
  }

  @Test("It has a part for each course and behaviour, and every part of it is led to")
  func parts() throws {
    let behaviours = #""reflex","visible+anticipate:rho=1,lead=15""#
    let (bytes, tree, results) = try page(Self.text(arms: Self.three, behaviours: behaviours))
    checkPage(bytes, tree)
    let ids = tree.elements("section").compactMap { $0.attributes["id"] }
    let numbered = (1...4).map { "result-\($0)" }
    #expect(ids == ["summary", "overview"] + numbered + ["assumptions", "limits", "method"])
    #expect(tree.elements("nav").first?.elements("a").compactMap { $0.attributes["href"] } == ids.map { "#" + $0 })
    let header = try #require(tree.elements("header").first).text
    #expect(header.contains("30 virtual runners"))
    #expect(tree.element(id: "method")?.text.contains("Seed7") == true)
    #expect(header.contains("no person ran"))
    let overview = try #require(tree.element(id: "overview"))
    try #require(overview.rows.count == 8)
    #expect(overview.rows[0][0] == "reflex")
    #expect(overview.rows[0].count == 4)
    for (result, id) in zip(results, numbered) {
      let section = try #require(tree.element(id: id))
      // Two tables of the arms, then one of the contrasts.
      #expect(section.rows.count == 3 + 3 + 3)
      for (row, arm) in zip(section.rows, result.arms) {
        #expect(row[0] == arm.arm.name)
        #expect(row[1] == StudyText.percent(arm.timeInTarget.mean))
        #expect(row[2] == arm.timeInTarget.confidence95.map(StudyText.percents))
      }
      #expect(section.text.contains(StudyText.percent(result.limit.timeInTarget.mean)))
      #expect(section.elements("svg", class: "plot").count == 9 + 1 + 3 + 3)
    }
    let words = try #require(tree.element(id: "summary")).text
    #expect(
      words.contains("Sees the heart rate and corrects 0.35 of the gap to the target every 15 s, beside the cues."))
    #expect(words.contains("The newest accepted heart rate, not older than 15 s, is judged every 60 s"))
  }

  @Test("Every number of the runners stands there with its source, and what nobody may conclude")
  func assumptions() throws {
    let (_, tree, results) = try page(Self.text(arms: Self.three))
    let rows = try #require(tree.element(id: "assumptions")).rows
    let keys = RunnerModel.Key.allCases
    #expect(rows.count == 2 * keys.count)
    #expect(Set(keys.map(\.words)).count == keys.count)
    for (index, row) in rows.enumerated() {
      let parameter = results[0].study.courses[index / keys.count].model[keys[index % keys.count]]
      #expect(Double(row[1]) == parameter.value)
      #expect(Double(row[2]) == parameter.spread)
      switch parameter.provenance {
      case .source(let source): #expect(row[3] == "Source: " + source)
      case .assumption(let reason): #expect(row[3] == "Assumption" + (reason.isEmpty ? "" : ": " + reason))
      }
    }
    #expect(rows[1][1] == "61.25")
    #expect(rows[1][3] == "Source: <Some & body>")
    let limits = try #require(tree.element(id: "limits")).text
    for words in ["No person ran", "no medical claim", "thin", "Monte-Carlo only"] { #expect(limits.contains(words)) }
  }

  @Test("A hostile name stays a text, and a long one does not widen a drawing")
  func hostile() throws {
    let long = String(repeating: "W", count: 500)
    let arms =
      #""none",{"name":"<script>x()</script>","strategy":"moment:every=60"},{"name":"\#(long)","strategy":"none"}"#
    let (bytes, tree, _) = try page(
      Self.text(arms: arms, more: #""name": "</title><i>&", "purpose": "<img src=x>\n","#))
    let text = String(decoding: bytes, as: UTF8.self)
    // The data and the script of ours.
    #expect(tree.elements("script").count == 2)
    #expect(!text.contains("<script>x"))
    #expect(!text.contains("<img"))
    #expect(tree.elements("i").isEmpty)
    #expect(tree.elements("h1").first?.text == "</title><i>&")
    #expect(tree.elements("title").first?.text == "</title><i>&")
    #expect(tree.element(id: "result-1")?.rows[1][0] == "<script>x()</script>")
    for drawing in tree.elements("svg", class: "dots") {
      for label in drawing.elements("text") { #expect(label.text.count <= 34) }
    }
    #expect(tree.element(id: "result-1")?.rows[2][0] == long)
  }

  @Test("One arm has no contrasts, one result no overview, and no example is shown that nobody asks for")
  func small() throws {
    let text = """
      {"version":1,"seed":1,"runners":1,"maximumHeartRateBPM":190,"behaviours":["reflex"],"courses":[
       {"activity":"run","target":"z2","seconds":60,"arms":["none"]}]}
      """
    let (bytes, tree, _) = try page(text, exampleRunners: 0)
    checkPage(bytes, tree)
    let ids = tree.elements("section").compactMap { $0.attributes["id"] }
    #expect(ids == ["summary", "result-1", "assumptions", "limits", "method"])
    #expect(try #require(tree.elements("header").first).text.contains("1 virtual runner, "))
    let section = try #require(tree.element(id: "result-1"))
    #expect(section.text.contains("means over 1 runner, "))
    #expect(!section.text.contains("Contrasts"))
    #expect(!section.text.contains("Example"))
    // A single runner has no interval.
    try #require(section.elements("line", class: "whisker").isEmpty)
    #expect(section.rows[0][2] == "–")
    #expect(tree.element(id: "method")?.text.contains("190 bpm, measured") == true)
  }

  @Test("Dots and intervals lie in the drawing, in their order, with 0 on the axis")
  func dots() throws {
    func number(_ text: String?) -> Double? { text.flatMap { Double($0.dropLast()) } }
    let (_, tree, results) = try page(Self.text(arms: Self.three))
    let drawing = try #require(
      tree.elements("svg", class: "dots").first { $0.attributes["aria-labelledby"]?.contains("timeInTarget-") == true })
    let places = drawing.elements("circle").compactMap { number($0.attributes["cx"]) }
    let means = results[0].arms.map { 100 * $0.timeInTarget.mean }
    #expect(places.count == 3)
    for (place, mean) in zip(places, means) { #expect(abs(place - mean) < 0.01, "the axis goes from 0 to 100 %") }
    let limit = number(drawing.elements("line", class: "goal").first?.attributes["x1"])
    #expect(abs(try #require(limit) - 100 * results[0].limit.timeInTarget.mean) < 0.01)
    // The stroke begins below what hangs under the line of the words above it.
    let words = drawing.elements("text", class: "right").compactMap { Double($0.attributes["y"] ?? "") }
    let strokes = drawing.elements("line", class: "goal").compactMap { Double($0.attributes["y1"] ?? "") }
    #expect(strokes.count == 3)
    for (stroke, word) in zip(strokes, words) { #expect(stroke - word >= 4, "\(stroke) under \(word)") }
    for figure in tree.elements("svg", class: "dots") {
      #expect(figure.elements("line", class: "axis").count == 1, "0 is a mark of its own")
      for line in figure.elements("line") {
        #expect((0...100).contains(try #require(number(line.attributes["x1"]))))
      }
    }
  }

  @Test("Names and numbers of a drawing that stand on one line have room beside each other on a phone")
  func lines() throws {
    let arms = #""none",{"name":"a name that is rather long","strategy":"moment:every=60"},"period:every=60,window=60""#
    let (_, tree, _) = try page(Self.text(arms: arms))
    let drawings = tree.elements("svg", class: "dots")
    #expect(drawings.count > 10)
    for drawing in drawings {
      let texts = drawing.elements("text").filter { $0.attributes["class"]?.contains("halo") == true }
      for line in Dictionary(grouping: texts, by: { $0.attributes["y"] ?? "" }).values {
        #expect(line.reduce(0) { $0 + $1.text.count } <= 36, "\(line.map(\.text))")
      }
    }
  }

  @Test(
    "The widths of the bars suit the differences, and the bars hold all runners", arguments: [0, 1, 3, 6, 7, 40, 100])
  func bars(widest: Int) throws {
    var counts = DifferenceCounts()
    for point in 0...widest { counts.add((point, 100), (0, 100)) }
    for point in 0...(widest / 2) { counts.add((0, 100), (point, 100)) }
    let figure = DifferenceFigure(id: "d", title: "A less B", counts: counts, arms: "")
    #expect(figure.bins.reduce(0) { $0 + $1.count } == counts.total)
    #expect(figure.bins.count <= 13)
    #expect(figure.bins.map(\.point) == figure.bins.map(\.point).sorted())
    #expect(figure.bins.map(\.point) == figure.bins.map { -$0.point }.reversed(), "0 is in the middle")
    #expect(figure.bins.first { $0.point == 0 }?.count == counts.same)
  }

  @Test("What is of an arm or a behaviour says so, for the boxes that choose what is shown")
  func boxes() throws {
    let behaviours = #""reflex","visible+anticipate:rho=1,lead=15""#
    let (_, tree, results) = try page(Self.text(arms: Self.three, behaviours: behaviours))
    let bar = try #require(tree.element(id: "shown"))
    #expect(bar.attributes["hidden"] != nil, "without a script there is nothing to choose with")
    let inputs = bar.elements("input")
    #expect(inputs.map { $0.attributes["name"] } == ["behaviour", "behaviour", "arm", "arm", "arm"])
    #expect(inputs.map { $0.attributes["value"] } == ["1", "2", "1", "2", "3"])
    #expect(inputs.allSatisfy { $0.attributes["checked"] != nil })
    #expect(
      bar.elements("label").map(\.text) == [
        " reflex", " visible+anticipate:rho=1,lead=15", " none", " <b>M</b>", " period:every=60,window=60",
      ])
    let sections = tree.elements("section").filter { $0.attributes["data-behaviour"] != nil }
    #expect(sections.map { $0.attributes["data-behaviour"] } == results.map { "\($0.behaviour + 1)" })
    let links = tree.elements("nav")[0].elements("li")
    #expect(links.compactMap { $0.attributes["data-behaviour"] } == results.map { "\($0.behaviour + 1)" })
    for (section, result) in zip(sections, results) {
      let rows = section.elements("tbody").flatMap(\.children).map { $0.attributes["data-arms"] }
      #expect(rows == ["1", "2", "3", "1", "2", "3", "2 1", "3 1", "3 2"].map(Optional.some))
      let drawing = try #require(section.elements("svg", class: "dots").first)
      let groups = drawing.elements("g")
      #expect(groups.map { $0.attributes["data-arms"] } == ["1", "2", "3"])
      let heights = groups.compactMap { Double($0.attributes["data-height"] ?? "") }
      #expect(heights.reduce(0, +) == Double(drawing.attributes["height"] ?? ""))
      let figures = section.elements("figure").compactMap { $0.attributes["data-arms"] }
      #expect(figures == ["2 1", "3 1", "3 2", "1", "2", "3"], "\(result.behaviour)")
    }
    let overview = try #require(tree.element(id: "overview"))
    for row in overview.elements("tr") {
      let arms = row.children.map { $0.attributes["data-arms"] ?? "" }
      #expect(arms == ["", "1", "2", "3"] || arms == ["", "2 1", "3 1", "3 2"])
    }
  }

  @Test("A heading, a note or a sentence is shown with any of the arms and behaviours of what stands under it")
  func blocks() throws {
    let arms = #""none","moment:every=60",{"strategy":"moment:every=120","seconds":900}"#
    let behaviours = #""reflex","visible+anticipate:rho=1,lead=15""#
    let (_, tree, results) = try page(Self.text(arms: arms, behaviours: behaviours))
    let overview = try #require(tree.element(id: "overview"))
    #expect(overview.attributes["data-any-arms"] == "1,2,3")
    #expect(overview.attributes["data-any-behaviours"] == "1,2")
    let blocks = overview.elements("div").filter { $0.attributes["data-any-arms"] != nil }
    let ofCourse = ["1,2,3", "2 1,3 1,3 2"]
    #expect(blocks.map { $0.attributes["data-any-arms"] ?? "" } == ofCourse + ofCourse)
    for block in blocks {
      #expect(block.elements("h3").count == 1)
      #expect(block.elements("table").count == 1)
    }
    #expect(overview.elements("h3").count == blocks.count)
    for (index, result) in results.enumerated() {
      let section = try #require(tree.element(id: "result-\(index + 1)"))
      #expect(section.attributes["data-behaviour"] == "\(result.behaviour + 1)")
      #expect(section.attributes["data-any-arms"] == "1,2,3")
      let parts = section.elements("div").filter { $0.attributes["data-any-arms"] != nil }
      #expect(parts.map { $0.attributes["data-any-arms"] } == ["2 1,3 1,3 2", "2 1,3 1,3 2"].map(Optional.some))
      #expect(
        parts.flatMap { $0.elements("h3").map(\.text) }
          == ["Contrasts, paired by runner", "Differences from runner to runner"])
      #expect(parts.last?.text.contains("How many runners differ by so many percentage points") == true)
      // Each sentence on a driven treadmill is of the arms of its length, that on lengths of contrasts of several.
      let sentences = section.elements("p").filter { $0.attributes["data-any-arms"] != nil }
      let ofLimits = result.limits.map { $0.seconds == 900 ? "3" : "1,2" }
      #expect(Set(ofLimits).count == 2)
      #expect(sentences.map { $0.attributes["data-any-arms"] ?? "" } == ofLimits + ["3 1,3 2"])
      let aim =
        "It aims at the middle of the target; cues may reach more in a short session, or where the target is high."
      #expect(sentences.dropLast().allSatisfy { $0.text.hasSuffix(". " + aim) })
      #expect(!section.text.contains("can pass"))
      #expect(sentences.last?.text.hasPrefix("Arms of different length are compared") == true)
    }
    let links = tree.elements("nav")[0].elements("li")
    let shown = ["overview"] + results.indices.map { "result-\($0 + 1)" }
    for link in links {
      let isShown = shown.contains { link.elements("a").first?.attributes["href"] == "#\($0)" }
      #expect(link.attributes["data-any-arms"] == (isShown ? "1,2,3" : nil))
    }
  }

  @Test("What compares the sessions of a few arms is shown with all of them alone")
  func singleSessions() throws {
    let observed =
      #""observed":{"source":"S","arms":["moment:every=60","none","period:every=60,window=60"],"timeInTarget":[0.2,0.3,0.4]}"#
    let text =
      #"{"version":1,"seed":7,"runners":30,"ageYears":23,"behaviours":["reflex"],"courses":[{"activity":"walk","target":"z2","#
      + #""seconds":600,"arms":["none","moment:every=60","period:every=60,window=60"],\#(observed)}]}"#
    let (_, tree, _) = try page(text)
    let blocks = try #require(tree.element(id: "result-1")).elements("div").filter {
      $0.attributes["data-arms"] != nil
    }
    #expect(blocks.map { $0.attributes["data-arms"] } == ["2 1 3"])
    #expect(blocks.first?.elements("h3").map(\.text) == ["If each person had run each arm once"])
  }

  @Test("Arms whose names differ behind their beginnings are told apart in drawings, whose names are whole")
  func longNames() throws {
    let names = ["no", "yes", "no,window=30"].map { "zone-change:dwell=10,margin=2,remind=60,follows=\($0)" }
    let far = String(repeating: "a", count: 300)
    let arms = (names + [far + "1", far + "2"]).map { #"{"name":"\#($0)","strategy":"none"}"# }
    let (bytes, tree, _) = try page(Self.text(arms: arms.joined(separator: ",")))
    checkPage(bytes, tree)
    let drawings = try #require(tree.element(id: "result-1")).elements("svg", class: "dots")
    func shown(_ drawing: PageNode) -> [[String]] {
      drawing.elements("g").filter { $0.attributes["data-height"] != nil }.map { row in
        row.elements("text", class: "name").map(\.text)
      }
    }
    let ofArms = shown(try #require(drawings.first))
    #expect(ofArms.prefix(3).map { $0.joined() } == names)
    #expect(ofArms[0] == ["zone-change:dwell=10,margin=2,", "remind=60,follows=no"])
    #expect(ofArms.allSatisfy { $0.allSatisfy { $0.unicodeScalars.count <= 34 } })
    let cut = String(repeating: "a", count: 101) + "…" + String(repeating: "a", count: 101)
    #expect(ofArms.suffix(2).map { $0.joined() } == [cut + "1", cut + "2"])
    for drawing in drawings {
      let all = shown(drawing)
      #expect(Set(all).count == all.count)
    }
  }

  @Test("The page carries the records of the study, whatever stands in its names")
  func data() throws {
    let more = #""name": "</script><i>&amp;", "#
    let (bytes, tree, results) = try page(Self.text(arms: Self.three, more: more))
    checkPage(bytes, tree)
    var writer = JSONWriter()
    for result in results {
      StudyRecords.write(result, traces: [], to: &writer)
      writer.endLine()
    }
    let carried = try #require(tree.element(id: "study-data")).text
    #expect(!carried.contains { "<>&".contains($0) })
    let lines = carried.split(separator: "\n").map(String.init)
    let expected = String(decoding: writer.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(lines.count == results.count)
    for (line, record) in zip(lines, expected) {
      #expect(try JSONValue.parse(Array(line.utf8).span) == JSONValue.parse(Array(record.utf8).span))
    }
    #expect(lines[0].contains(#""name":"\u003c/script\u003e\u003ci\u003e\u0026amp;""#))
  }

  @Test("The same study gives the same bytes; an example shows every moment of its session")
  func examples() throws {
    let text = Self.text(arms: Self.three)
    let (bytes, tree, results) = try page(text, exampleRunners: 2)
    #expect(try page(text, exampleRunners: 2).bytes == bytes)
    let examples = NamedTrace.first(2, of: results[0].study, course: 0, behaviour: 0)
    #expect(examples.count == 6)
    for (index, example) in examples.enumerated() {
      let id = "result-1-example-\(index + 1)-title"
      let drawing = try #require(
        tree.elements("svg", class: "plot").first { $0.attributes["aria-labelledby"]?.hasPrefix(id) == true })
      #expect(drawing.elements("use").count == example.trace.cues.count)
      #expect(drawing.elements("rect", class: "target").count == 1)
      let points = example.trace.points.count { $0.reading != nil }
      let path = try #require(drawing.elements("path", class: "curve").first?.attributes["d"])
      #expect(path.split(whereSeparator: { $0 == "M" || $0 == "L" }).count == points)
    }
  }
}
