import TestSupport
import Testing

@testable import coach

@Suite("Parsing a command line")
struct ArgumentsParsingTests {
  let table = CommandTable.coach

  @Test("A value follows its option as a word of its own or after an equals sign")
  func bothSpellings() throws {
    for line in ["zones --age 23 --format json", "zones --age=23 --format=json"] {
      let arguments = try table.run(line)
      #expect(arguments.verb.id == .zones)
      #expect(arguments[ZoneOptions.age] == 23)
      #expect(arguments[OutputOptions.format] == .json)
    }
  }

  @Test("An absent option is nothing, false, empty or its default")
  func absent() throws {
    let arguments = try table.run("live")
    #expect(arguments[ZoneOptions.age] == nil)
    #expect(arguments[SessionOptions.noSave] == false)
    #expect(arguments[SessionOptions.clock] == .auto)
    #expect(arguments[LiveSourceOptions.source].isEmpty)
    #expect(arguments[OutputOptions.format] == .text)
    #expect(try TestTable.family.run("history show x")[TestTable.arms].isEmpty)
  }

  @Test("Everything after -- is an operand, and a single dash always is one")
  func operands() throws {
    #expect(try table.run("inspect a --format json b")[Operands.recordings] == ["a", "b"])
    #expect(try table.run("inspect - -- --format -h --")[Operands.recordings] == ["-", "--format", "-h", "--"])
    #expect(try table.run("replay --plan - run.csv")[GuidanceOptions.plan] == "-")
    #expect(try table.run("completions zsh")[Operands.shell] == .zsh)
    #expect(try TestTable.family.run("history list")[TestTable.days] == nil)
  }

  @Test("Negative numbers are values and operands")
  func negativeNumbers() throws {
    #expect(try TestTable.family.run("history show 4f --rate -0.5")[TestTable.rate] == -0.5)
    #expect(try TestTable.family.run("history list -7")[TestTable.days] == "-7")
    #expect(try TestTable.family.run("history show 4f --rate -.5")[TestTable.rate] == -0.5)
    for word in ["-", "--", "-.", "-x", "-.x", "--5"] {
      #expect(isOptionLike(word) == (word != "-"), "\(word)")
    }
  }

  @Test("A place in the south or in the west is a value")
  func places() throws {
    for place in ["-33.86,151.21", "-.5,-0.5", "-1e-3,2", "51.5,-0.1"] {
      #expect(try table.run("history find --near \(place)").isGiven(HistoryOptions.near), "\(place)")
    }
  }

  @Test("An equals sign lets a value begin with dashes or contain further equals signs")
  func valuesAfterEquals() throws {
    #expect(try table.run("replay a --strategy=--odd=x")[GuidanceOptions.strategy] == "--odd=x")
    #expect(try table.run("replay a --strategy period:every=60")[GuidanceOptions.strategy] == "period:every=60")
  }

  @Test("A repeatable option keeps its order")
  func repeatable() throws {
    #expect(try TestTable.family.run("history show x --arm b --arm=a --arm b")[TestTable.arms] == ["b", "a", "b"])
  }

  @Test("Two words name a verb of a family before one does")
  func families() throws {
    #expect(try TestTable.family.run("history").verb.name == "history")
    #expect(try TestTable.family.run("history --quiet")[TestTable.quiet])
    #expect(try TestTable.family.run("history list 7")[TestTable.days] == "7")
    #expect(try TestTable.family.run("study merge a b")[Operands.recordings] == ["a", "b"])
    #expect(try TestTable.family.run("debug").verb.isHidden)
  }

  @Test("A name of two words that was typed as one word is no verb")
  func familyInOneWord() {
    #expect(throws: ArgumentError.self) { try TestTable.family.run(words: ["history list", "7"]) }
    #expect(throws: ArgumentError.self) { try TestTable.family.run(words: ["", "history"]) }
  }

  @Test("A start makes the verb that was typed and no other")
  func oneVerb() throws {
    let verbs = [Verb.zones, .historyList, .historyShow].map { verb in
      CommandTable.Entry(name: verb.name, isHidden: verb.isHidden) {
        if verb.id != .historyShow { Issue.record("\(verb.name) is made") }
        return verb
      }
    }
    let table = CommandTable(program: "coach", summary: "a table for tests", entries: verbs)
    #expect(try table.run("history show 4f3a").verb.id == .historyShow)
  }

  @Test("The order of the command line is kept for each option, whatever stands between")
  func mixedOrder() throws {
    let arguments = try TestTable.family.run("history show x --arm b --rate 0.5 --arm a")
    #expect(arguments[TestTable.arms] == ["b", "a"])
    #expect(arguments[TestTable.rate] == 0.5)
    #expect(arguments.isGiven(TestTable.rate))
    #expect(try !TestTable.family.run("history show x").isGiven(TestTable.rate))
  }

  @Test(
    "Help is asked for in many ways, and goes before mistakes",
    arguments: [
      ("--help", nil), ("-h", nil), ("help", nil), ("help zones", "zones"), ("--help zones", "zones"),
      ("zones -h", "zones"), ("zones --agee 3 --help", "zones"), ("inspect --help", "inspect"), ("help --help", "help"),
    ] as [(String, String?)])
  func help(line: String, verb: String?) throws {
    guard case .help(let explained) = try table.parse(line.split(separator: " ").map(String.init)) else {
      Issue.record("\(line) does not ask for help")
      return
    }
    #expect(explained?.name == verb)
  }

  @Test("The version stands alone")
  func version() throws {
    guard case .version = try table.parse(["--version"]) else {
      Issue.record("--version does not ask for the version")
      return
    }
    #expect(table.refusal("--version zones") == #"coach: unexpected argument "zones""#)
  }

  @Test(
    "A command line that cannot be understood gives one line",
    arguments: [
      ("", "coach: expected a verb; coach --help lists them"),
      ("zoens", #"coach: unknown verb "zoens"; did you mean zones?"#),
      ("xyzzy", #"coach: unknown verb "xyzzy"; coach --help lists the verbs"#),
      ("help relpay", #"coach: unknown verb "relpay"; did you mean replay?"#),
      ("help zones x", #"coach: unexpected argument "x""#),
      ("--versoin", #"coach: expected a verb before "--versoin"; did you mean --version?"#),
      ("--format json zones", #"coach: expected a verb before "--format"; coach --help lists the verbs"#),
      ("zones --aeg 3", #"coach: zones: unknown option "--aeg"; did you mean --age?"#),
      ("zones -age 3", #"coach: zones: unknown option "-age"; did you mean --age?"#),
      ("zones --max=3", #"coach: zones: unknown option "--max"; did you mean --max-heart-rate?"#),
      ("zones --hlep", #"coach: zones: unknown option "--hlep"; did you mean --help?"#),
      ("zones --frobnicate", #"coach: zones: unknown option "--frobnicate"; coach zones --help lists them"#),
      ("zones --target 2", #"coach: zones: unknown option "--target"; coach zones --help lists them"#),
      ("zones --age", "coach: --age: expected a value, --age N"),
      ("zones --age --sex male", "coach: --age: expected a value, --age N"),
      ("zones --age -- 3", "coach: --age: expected a value, --age N"),
      ("zones --age 3 --age=3", "coach: --age: given twice"),
      ("live --no-save --no-save", "coach: --no-save: given twice"),
      ("live --no-save=yes", "coach: --no-save: expected no value"),
      ("inspect", "coach: inspect: expected FILE|FOLDER|ZIP...; coach inspect --help explains it"),
      ("replay", "coach: replay: expected RECORDING; coach replay --help explains it"),
      ("replay a b", #"coach: replay: unexpected argument "b""#),
      ("zones 23", #"coach: zones: unexpected argument "23""#),
      ("completions bsah", #"coach: SHELL: expected one of bash, zsh, fish, found "bsah"; did you mean bash?"#),
    ])
  func refusals(line: String, message: String) {
    #expect(table.refusal(line) == message)
  }

  @Test("A family explains itself when its second word is missing or wrong")
  func familyRefusals() {
    #expect(
      TestTable.family.refusal("study")
        == #"coach: study: expected a verb after "study"; coach study --help lists them"#)
    #expect(TestTable.family.refusal("study mrege") == #"coach: unknown verb "study mrege"; did you mean study merge?"#)
    #expect(
      TestTable.family.refusal("history lits")
        == #"coach: history: unexpected argument "lits"; did you mean history list?"#)
    #expect(TestTable.family.refusal("debgu") == #"coach: unknown verb "debgu"; coach --help lists the verbs"#)
  }

  @Test("An empty word is no value and no operand")
  func emptyWords() {
    #expect(
      table.refusal(words: ["zones", "--age", ""])
        == #"coach: --age: expected a whole number from 1 to 120, found """#)
    #expect(table.refusal(words: ["inspect", ""]) == #"coach: FILE|FOLDER|ZIP: expected some text, found """#)
    #expect(table.refusal(words: [""]) == #"coach: unknown verb ""; coach --help lists the verbs"#)
  }

  @Test("What was typed can neither break the line nor steer the terminal")
  func hostileText() {
    #expect(
      table.refusal(words: ["zones", "--a\n\u{1b}[31m\u{202e}"])
        == #"coach: zones: unknown option "--a\u{a}\u{1b}[31m\u{202e}"; coach zones --help lists them"#)
    let long = table.refusal(words: [String(repeating: "x", count: 100_000)])
    #expect(long.map(\.count).map { $0 < 160 } == true)
  }

  @Test("Every usage mistake ends with 64")
  func exitCode() {
    #expect(ArgumentError.missingVerb(family: nil).exitCode.rawValue == 64)
  }

  @Test("Random command lines are understood or refused with one line", arguments: 1...40 as ClosedRange<UInt64>)
  func randomLines(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var pool = table.verbs.flatMap { $0.words + $0.options.map(\.flag) + $0.options.flatMap(\.kind.choices) }
    pool += [
      "", "-", "--", "-5", "--=", "=", "-h", "--age=", "é=", "--\u{301}=x", "z2", "1e999", "\r\n", "--age=3=4",
      "98,118",
    ]
    for _ in 0..<200 {
      var words = (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in pool.randomElement(using: &random) }
      if Bool.random(using: &random), let verb = table.verbs.randomElement(using: &random) {
        words.insert(verb.name, at: 0)
      }
      do {
        if case .run(let arguments) = try table.parse(words) { readEverything(arguments) }
      } catch {
        let line = error.description
        #expect(line.hasPrefix("coach: "), "seed \(seed): \(words)")
        #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control }, "seed \(seed): \(words)")
      }
    }
  }

  /// Reads every option that the verb declares: what passed its check can be read.
  private func readEverything(_ arguments: ParsedArguments) {
    func read<Value>(_ option: Option<Value>) {
      if arguments.declares(option) { _ = arguments[option] }
    }
    read(ZoneOptions.age)
    read(ZoneOptions.birthDate)
    read(ZoneOptions.bounds)
    read(ZoneOptions.formula)
    read(ZoneOptions.model)
    read(ZoneOptions.weight)
    read(GuidanceOptions.target)
    read(GuidanceOptions.warmUp)
    read(SessionOptions.duration)
    read(SessionOptions.streams)
    read(SessionOptions.activity)
    read(OutputOptions.format)
  }
}
