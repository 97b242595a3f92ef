import Testing

@testable import coach

@Suite("The table of verbs and options")
struct ArgumentsTableTests {
  let table = CommandTable.coach

  @Test("Every verb of the program is in the table once, under its own name")
  func everyVerb() {
    #expect(table.verbs.map(\.id).count == VerbID.allCases.count)
    #expect(Set(table.verbs.map(\.id)) == Set(VerbID.allCases))
    #expect(Set(table.verbs.map(\.name)).count == table.verbs.count)
    for id in VerbID.allCases {
      #expect(id.verb.id == id)
      #expect(id.verb.name == id.rawValue)
      #expect(id.verb.isHidden == id.isHidden)
    }
    for verb in table.verbs { #expect((1...2).contains(verb.words.count), "\(verb.name)") }
  }

  @Test("Every example is understood, and belongs to its verb")
  func examples() throws {
    for verb in table.verbs {
      let command = try #require(verb.example.split(separator: "coach ").last, "\(verb.name)")
      let words = command.split { $0 == " " || $0 == ")" }.map(String.init)
      switch try table.parse(words) {
      case .run(let arguments): #expect(arguments.verb.id == verb.id)
      case .help: #expect(verb.id == .help)
      case .helpOnFamily(let head): Issue.record("\(verb.example) asks for the help on \(head)")
      case .version: Issue.record("\(verb.example) asks for the version")
      }
    }
  }

  @Test("Option names are unique in a verb, in lower case, and never those of help")
  func optionNames() {
    for verb in table.verbs {
      let names = verb.options.map(\.name)
      #expect(Set(names).count == names.count, "\(verb.name)")
      for name in names {
        #expect(name.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= $0 })
        #expect(name != "help")
        #expect(name != "version")
        #expect(name.count > 1)
      }
    }
  }

  @Test(
    "An option means the same on every verb, but a place is no day, a model no workout, who wears a sensor no one to look up, all sessions have no format, points are chosen by what was, secrets have their own, and no verb offers what it refuses"
  )
  func sameMeaning() {
    let shared = OutputOptions.all.map(\.declaration.name)
    let others: [(verb: VerbID, option: String)] = [
      (.upload, "to"), (.motionExport, "as"), (.historyExport, "as"), (.motionRecord, "person"),
      (.motionRecord, "seconds"),
      (.motionRecord, "replace"), (.trialAnalyse, "activity"), (.trialAnalyse, "behaviour"), (.trialAnalyse, "arm"),
      // A plan is written in formats of its own, a heart rate alone is what virtual runners and comparisons keep to, and of a live run only
      // the arm is drawn from a number.
      (.planExport, "as"), (.study, "target"), (.studyPopulation, "target"), (.compare, "target"), (.live, "seed"),
      (.importing, "seed"),
    ]
    var rows: [String: (help: String, kind: ValueKind)] = [:]
    for verb in table.verbs {
      for option in verb.options
      where !others.contains(where: { $0.verb == verb.id && $0.option == option.name }) {
        // What a secret is for is said in other words than what a history shows.
        let name = verb.group == .service && !shared.contains(option.name) ? "service \(option.name)" : option.name
        if let row = rows[name] { #expect(row == (option.help, option.kind), "--\(name)") }
        rows[name] = (option.help, option.kind)
      }
    }
  }

  @Test("Explanations are one line without a full stop, and a value has a placeholder")
  func explanations() {
    for verb in table.verbs {
      for text in [verb.summary] + verb.options.map(\.help) {
        #expect(!text.isEmpty, "\(verb.name): \(text)")
        #expect(!text.contains("\n"), "\(verb.name): \(text)")
        #expect(!text.hasSuffix("."), "\(verb.name): \(text)")
      }
      for option in verb.options { #expect(option.placeholder.isEmpty == !option.kind.takesValue, "\(option.name)") }
    }
  }

  @Test("A default that the help shows is a value of its option")
  func defaults() throws {
    for option in table.verbs.flatMap(\.options) {
      if let text = option.defaultText, case .choice(let words, isList: false) = option.kind {
        #expect(words.contains(text))
      }
    }
  }
}
