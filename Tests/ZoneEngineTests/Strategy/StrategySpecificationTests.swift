import Foundation
import TestSupport
import Testing
import ZoneEngine

@Suite("A strategy's specification")
struct StrategySpecificationTests {
  private static func random(_ generator: inout SplitMix64) throws -> FeedbackStrategy {
    func span() throws -> SessionTime {
      let whole = Double(generator.int(1...86_400))
      return try #require(SessionTime(seconds: generator.chance(0.5) ? whole : 1 + generator.unit() * 86_399))
    }
    switch generator.int(0...2) {
    case 0: return .none
    case 1: return .moment(try MomentStrategy(every: span()))
    default: return .period(try PeriodStrategy(every: span(), window: span()))
    }
  }

  @Test("reads back as the same strategy, as text and as JSON")
  func roundTrip() throws {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<500 {
      let strategy = try Self.random(&generator)
      let text = strategy.specification
      #expect(try FeedbackStrategy(specification: text) == strategy, "\(text)")
      let data = try JSONEncoder().encode(strategy)
      #expect(try JSONDecoder().decode(FeedbackStrategy.self, from: data) == strategy, "\(text)")
    }
  }

  @Test("is short")
  func text() throws {
    #expect(try FeedbackStrategy(specification: "none").specification == "none")
    #expect(try FeedbackStrategy(specification: "moment").specification == "moment:every=120")
    #expect(try FeedbackStrategy(specification: "period").specification == "period:every=60,window=60")
    #expect(
      try FeedbackStrategy(specification: "period:window=30.5,every=120").specification
        == "period:every=120,window=30.5")
  }

  @Test("has the parameters of its strategy as JSON")
  func json() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(try FeedbackStrategy(specification: "period:every=60,window=120"))
    #expect(String(decoding: data, as: UTF8.self) == #"{"every":60,"kind":"period","window":120}"#)
    let decoded = try JSONDecoder().decode(FeedbackStrategy.self, from: Data(#"{"kind":"moment"}"#.utf8))
    #expect(decoded == .moment(try MomentStrategy(every: .seconds(120))))
  }

  @Test("tells when the strategy judges and how far it looks back")
  func spans() throws {
    let moment = try FeedbackStrategy(specification: "moment:every=90")
    #expect(moment.kind == "moment" && moment.every == .seconds(90) && moment.window == nil)
    let period = try FeedbackStrategy(specification: "period:every=90,window=45")
    #expect(period.kind == "period" && period.every == .seconds(90) && period.window == .seconds(45))
    #expect(FeedbackStrategy.none.every == nil && FeedbackStrategy.none.window == nil)
  }

  @Test("is listed with its source and its parameters")
  func listed() throws {
    #expect(StrategyDescription.all.map(\.kind) == ["none", "moment", "period"])
    for description in StrategyDescription.all {
      let strategy = try FeedbackStrategy(specification: description.kind)
      #expect(strategy.kind == description.kind && !description.source.isEmpty && !description.summary.isEmpty)
      #expect(strategy.parameters.map(\.key) == description.parameters.map(\.key))
      #expect(strategy.parameters.map(\.value) == description.parameters.map(\.defaultValue))
      #expect(description.parameters.allSatisfy { $0.range.contains($0.defaultValue) && $0.unit == "s" })
    }
  }

  @Test(
    "is refused with what was expected",
    arguments: [
      ("guess", "guess", "one of none, moment, period"),
      ("", "", "one of none, moment, period"),
      ("Moment", "Moment", "one of none, moment, period"),
      ("none:every=60", "none:every", "no parameters"),
      ("moment:window=60", "moment:window", "only the parameters every"),
      ("period:every=60,span=60", "period:span", "only the parameters every, window"),
      ("moment:every=60,every=60", "moment:every", "each parameter once"),
      ("moment:every=0", "moment:every=0", "every from 1 to 86400 s"),
      ("moment:every=0.5", "moment:every=0.5", "every from 1 to 86400 s"),
      ("moment:every=-60", "moment:every=-60", "every from 1 to 86400 s"),
      ("moment:every=86401", "moment:every=86401", "every from 1 to 86400 s"),
      ("period:window=0", "period:window=0", "window from 1 to 86400 s"),
      ("period:window=90000", "period:window=90000", "window from 1 to 86400 s"),
      ("moment:every=1e300", "moment:every=1e+300", "a number of seconds"),
    ])
  func refused(text: String, subject: String, expected: String) {
    #expect(throws: ZoneError.strategy(text: subject, expected: expected)) {
      try FeedbackStrategy(specification: text)
    }
  }

  @Test(
    "is refused when it is no specification",
    arguments: [
      "moment:", "moment:every", "moment:every=", "moment:every=two", "moment:every=nan", "moment:every=inf",
      "moment:every=60,", "moment:,every=60", "moment:every=60;window=60", "moment:every==60",
      "period:every=60 ,window=60", "moment:every=60:every=60",
    ])
  func garbage(text: String) {
    #expect(throws: ZoneError.strategy(text: text, expected: "KIND or KIND:key=number,key=number")) {
      try FeedbackStrategy(specification: text)
    }
  }

  @Test(
    "is refused as JSON with an unknown kind or key, a wrong type or a value that is not possible",
    arguments: [
      #"{"kind":"guess"}"#, #"{"kind":"moment","window":60}"#, #"{"kind":"none","every":60}"#,
      #"{"kind":"moment","every":0}"#, #"{"kind":"moment","every":"60"}"#, #"{"kind":"moment","every":null}"#,
      #"{"every":60}"#, #"{"kind":5}"#, #"[]"#, #""moment""#, #"{"kind":"moment","every":60,"Every":60}"#,
    ])
  func refusedJSON(json: String) {
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(FeedbackStrategy.self, from: Data(json.utf8))
    }
  }

  @Test("as JSON says which key is unknown")
  func unknownKey() {
    #expect(throws: ZoneError.strategy(text: "moment:window", expected: "only the parameters every")) {
      try JSONDecoder().decode(FeedbackStrategy.self, from: Data(#"{"kind":"moment","window":60}"#.utf8))
    }
  }
}
