import Testing
@testable import TextFormats
@testable import coach

@Suite("Tables of text")
struct TextTableTests {
  private static let columns = [
    TextTable.Column(title: "name", limit: 12),
    TextTable.Column(title: "number", isNumber: true, rank: 1),
    TextTable.Column(title: "nothing", rank: 2),
    TextTable.Column(title: "word", rank: 3),
    TextTable.Column(title: "part", rank: 4, isBar: true),
  ]

  private static let rows: [[TextTable.Cell]] = [
    [.text("plain"), .text("7"), .text(nil), .text("dim", .dim), .bar(1)],
    [.text("漢字ride"), .text("123"), .text(""), .text(nil), .bar(0.31, .ink(.red))],
    [.text(nil), .text(nil), .text(nil), .text(nil), .text(nil)],
    [.text("a name too long"), .text("−1"), .text(nil), .text("bén", .bold), .bar(0)],
    [.text("\u{1B}[31m\nbad"), .text(nil), .text(nil), .text("bold", .bold(.cyan)), .bar(-0.5)],
  ]

  @Test("Columns stand under their titles, numbers at the right; what is too long is cut, what is empty left out")
  func table() {
    #expect(
      TextTable(Self.columns, Self.rows).lines(width: 60).plain == """
          name          number  word  part
          plain              7  dim   ██████████████████████████████
          漢字ride         123        █████████▎

          a name too …      −1  bén
          \\u{1b}[31m\\…          bold  \n
        """)
  }

  @Test("The columns of the highest rank go first")
  func ranks() {
    func titles(_ width: Int) -> String { TextTable(Self.columns, Self.rows).lines(width: width)[0].plain }
    #expect(titles(35) == "  name         number word part")
    #expect(titles(34) == "  name         number word")
    #expect(titles(25) == "  name         number")
    #expect(titles(20) == "  name")
  }

  @Test("Columns without room stand in further tables under the first, and none is lost", arguments: 20...120)
  func wrapped(width: Int) {
    let columns = [
      TextTable.Column(title: "arm", isLabel: true), TextTable.Column(title: "in target", isNumber: true, rank: 2),
      TextTable.Column(title: "rmse bpm", isNumber: true, rank: 1), TextTable.Column(title: "cues/h", isNumber: true),
    ]
    let table = TextTable(
      columns,
      [
        [.text("moment:every=120,hold=1"), .text("61.2 %"), .text("9.1"), .text("28.0")],
        [.text("moment:every=120,hold=0"), .text("60.9 %"), .text("9.3"), .text("27.5")],
      ])
    let lines = table.wrappedLines(width: width)
    #expect(lines.allSatisfy { $0.width <= width })
    let text = lines.map(\.plain).joined(separator: "\n")
    for title in ["in target", "rmse bpm", "cues/h"] { #expect(text.contains(title), "\(title) in \(width) columns") }
    for value in ["61.2 %", "9.3", "27.5"] { #expect(text.contains(value)) }
    // The rows can still be distinguished.
    #expect(lines[1].plain.prefix(width / 2) != lines[2].plain.prefix(width / 2))
  }

  @Test("Names of two columns are told apart in both", arguments: 30...70)
  func labelColumns(width: Int) throws {
    let columns = [
      TextTable.Column(title: "arm", limit: 60, isLabel: true),
      TextTable.Column(title: "less", limit: 60, isLabel: true), TextTable.Column(title: "points", isNumber: true),
    ]
    let names = ["60", "120"].map { "period:every=\($0),window=60,hold=0" }
    let table = TextTable(columns, [[.text(names[0]), .text(names[1]), .text("−2.9")]])
    let lines = table.wrappedLines(width: width)
    let cells = try #require(lines.last).plain.split(separator: " ")
    #expect(cells.count == 3)
    #expect(cells[0] != cells[1])
  }

  @Test("Names in little room keep their ends, and never become the same", arguments: 6...40)
  func labels(width: Int) {
    let names = (1...120).map { "recordings/of/the/second/cohort/person \($0)/2026" } + ["anna", "ben"]
    let labels = DistinctLabels.short(names, width: width)
    #expect(labels.count == names.count)
    #expect(Set(labels.values).count == names.count)
    #expect(labels.values.allSatisfy { StyledText($0).width <= width })
    #expect(labels["anna"] == "anna")
  }

  @Test("Names that are alike at both ends are cut where they differ, and numbered only where that has no room")
  func differingLabels() {
    func people(_ number: String) -> String {
      "pl3/cohort-aaaaaaaaaaaaaaaaaaaaa-\(number)-bbbbbbbbbbbbbbbbbbbbbbbbbbbb"
    }
    let people = ["1", "2", "13", "14"].map(people)
    for width in 12...50 {
      let labels = DistinctLabels.short(people, width: width)
      for (name, number) in zip(people, ["-1-", "-2-", "-13-", "-14-"]) {
        #expect(labels[name]?.contains(number.dropLast()) == true, "\(width): \(labels)")
        #expect(labels[name].map { StyledText($0).width <= width } == true, "\(width): \(labels)")
      }
    }
    let arms = ["60", "120"].map { "period:every=\($0),window=60" }
    let labels = DistinctLabels.short(arms, width: 13)
    #expect(labels[arms[0]]?.contains("=60") == true, "\(labels)")
    #expect(labels[arms[1]]?.contains("=120") == true, "\(labels)")
    #expect(!labels.values.contains { $0.contains("#") })
    #expect(labels.values.allSatisfy { StyledText($0).width <= 13 })
    let whole = ["anna-katharina-the-first", "anna-katharina-the-second"]
    #expect(DistinctLabels.short(whole, width: 30).values.sorted() == whole)
  }

  @Test("A name is whole in a table where there is room for it, and takes what is left where there is not")
  func roomForLabels() {
    let name = String(repeating: "name", count: 15)
    let table = TextTable(
      [TextTable.Column(title: "of each", isLabel: true), TextTable.Column(title: "points", isNumber: true)],
      [[.text(name), .text("1.0")]])
    #expect(table.wrappedLines(width: 120)[1].plain == "  \(name)     1.0")
    let narrow = table.wrappedLines(width: 60)
    #expect(narrow.count == 2)
    #expect(narrow[1].width == 60)
  }

  @Test(
    "What is written at once is what the lines are, at every width", arguments: [true, false],
    [GlyphSet.unicode, .ascii])
  func written(usingColor: Bool, glyphs: GlyphSet) async {
    let many = Array(repeating: Self.rows, count: 400).flatMap { $0 }
    for (rows, widths) in [(Self.rows, Array(1...80)), ([], [80]), (many, [60])] {
      let table = TextTable(Self.columns, rows)
      for width in widths {
        let pieces = await table.rendered(width: width, usingColor: usingColor, in: glyphs)
        let lines = table.lines(width: width).map { $0.rendered(usingColor: usingColor, in: glyphs) + "\n" }.joined()
        #expect(String(decoding: pieces.joined(), as: UTF8.self) == lines, "\(width) columns")
        // The titles are a piece of their own.
        #expect((pieces.dropFirst().count > 1) == (rows.count > 100))
      }
    }
  }

  @Test("A table that is put together of tables is the same as one of all their rows, at every width")
  func parts() async {
    let rows = Self.rows + Self.rows.reversed() + Self.rows
    let whole = TextTable(Self.columns, rows)
    // Some have no row, and the widest text of a column stands in any of them.
    for cuts in [[0, 1], [0], [rows.count], [2, 2, rows.count - 1], Array(0...rows.count)] {
      var table = TextTable(Self.columns)
      for (from, to) in zip([0] + cuts, cuts + [rows.count]) {
        table.append(TextTable(Self.columns, Array(rows[from..<to])))
      }
      for width in 1...80 {
        #expect(table.lines(width: width) == whole.lines(width: width), "\(cuts), \(width) columns")
        #expect(table.wrappedLines(width: width) == whole.wrappedLines(width: width), "\(cuts), \(width) columns")
        let pieces = await table.rendered(width: width, usingColor: true, in: .unicode)
        let expected = await whole.rendered(width: width, usingColor: true, in: .unicode)
        #expect(pieces.joined().elementsEqual(expected.joined()), "\(cuts), \(width) columns")
      }
    }
  }

  @Test(
    "Records whose text is made in batches are the same as one after another", arguments: [OutputFormat.json, .jsonl],
    [0, 1, 511, 512, 513, 5_000])
  func recordBatches(format: OutputFormat, count: Int) async throws {
    var list = RecordList("numbers", format)
    var batches = RecordBatches<Int>("numbers", format) { number, writer in
      writer.object { $0.member("number", number) }
    }
    for number in 0..<count {
      list.append { writer in writer.object { $0.member("number", number) } }
      batches.append(number)
    }
    let text = await batches.finished().finished()
    #expect(text.joined().elementsEqual(list.finished().joined()))
  }

  @Test("Records in pieces are the same as in one", arguments: [OutputFormat.json, .jsonl])
  func recordList(format: OutputFormat) throws {
    // More than two pieces of text.
    var list = RecordList("numbers", format)
    for number in 0..<20_000 { list.append { writer in writer.object { $0.member("number", number) } } }
    let records = (0..<20_000).map { "{\"number\":\($0)}" }
    let expected =
      format == .jsonl
      ? records.joined(separator: "\n")
      : "{\"version\":1,\"type\":\"numbers\",\"numbers\":[" + records.joined(separator: ",") + "]}"
    let pieces = list.finished()
    #expect(pieces.count > 2)
    #expect(String(decoding: pieces.joined(), as: UTF8.self) == expected + "\n")
    #expect(
      String(decoding: RecordList("x", format).finished().joined(), as: UTF8.self)
        == (format == .json ? "{\"version\":1,\"type\":\"x\",\"x\":[]}\n" : ""))
  }
}
