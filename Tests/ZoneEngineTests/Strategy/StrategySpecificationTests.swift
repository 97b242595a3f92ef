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
    func schedule() throws -> CheckSchedule {
      let every = try span()
      let most = Int(every.seconds / 2.001)
      return try CheckSchedule(
        every: every, jitter: .seconds(generator.int(0...most)), seed: UInt32(generator.int(0...9_999_999)))
    }
    func within(_ range: ClosedRange<Int>) -> SessionTime {
      .seconds(generator.int(range))
    }
    let saysHold = generator.chance(0.5)
    switch generator.int(0...6) {
    case 0: return .none
    case 1: return .moment(try MomentStrategy(every: span()))
    case 2: return .period(try PeriodStrategy(every: span(), window: span()))
    case 3: return .moment(try MomentStrategy(schedule: schedule(), median: within(0...600), saysHold: saysHold))
    case 4: return .period(try PeriodStrategy(schedule: schedule(), window: span(), saysHold: saysHold))
    case 5:
      return .zoneChange(
        try ZoneChangeStrategy(
          dwell: within(0...600), marginBPM: generator.int(0...30), reminder: within(0...86_400),
          returningBPMPerSecond: Double(generator.int(0...50)) / 10, grace: within(0...600), median: within(0...600),
          saysHold: saysHold))
    default:
      return .trend(
        try TrendStrategy(
          schedule: schedule(), window: within(10...600), horizon: within(0...600), timeConstant: within(5...300),
          saysHold: saysHold))
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

  @Test("says when the strategy judges and how far it looks back")
  func spans() throws {
    let moment = try FeedbackStrategy(specification: "moment:every=90")
    #expect(moment.kind == "moment")
    #expect(moment.schedule?.every == .seconds(90))
    #expect(moment.judgedSpan == .zero)
    let period = try FeedbackStrategy(specification: "period:every=90,window=45")
    #expect(period.kind == "period")
    #expect(period.schedule?.every == .seconds(90))
    #expect(period.judgedSpan == .seconds(45))
    #expect(FeedbackStrategy.none.schedule == nil)
    #expect(FeedbackStrategy.none.judgedSpan == nil)
  }

  @Test("is listed with its source and its parameters")
  func listed() throws {
    #expect(StrategyDescription.all.map(\.kind) == ["none", "moment", "period", "zone-change", "trend", "adaptive"])
    for description in StrategyDescription.all {
      let strategy = try FeedbackStrategy(specification: description.kind)
      #expect(strategy.kind == description.kind)
      #expect(!description.source.isEmpty)
      #expect(!description.summary.isEmpty)
      // Without anything said, those are named that every specification names.
      let named = description.parameters.filter { !$0.isOptional }
      #expect(strategy.parameters.map(\.key) == named.map(\.key))
      #expect(strategy.parameters.map(\.value) == named.map(\.defaultValue))
      #expect(description.parameters.allSatisfy { $0.range.contains($0.defaultValue) })
      // Each one can be set to both ends of its range, or is refused with its name.
      for parameter in description.parameters {
        for value in [parameter.range.lowerBound, parameter.range.upperBound] {
          do {
            let set = try FeedbackStrategy(kind: description.kind, parameters: [(parameter.key, value)])
            #expect(try FeedbackStrategy(specification: set.specification) == set)
          } catch {
            // What depends on another parameter: a jitter on the interval, loses and steers on each other.
            let isOfTwo = ["jitter", "loses", "steers"].contains(parameter.key) && "\(error)".contains(parameter.key)
            #expect(isOfTwo, "\(description.kind) \(parameter.key): \(error)")
          }
        }
        for value in [parameter.range.lowerBound.nextDown, parameter.range.upperBound.nextUp, .nan] {
          #expect(throws: ZoneError.self, "\(parameter.key) \(value)") {
            try FeedbackStrategy(kind: description.kind, parameters: [(parameter.key, value)])
          }
        }
      }
    }
  }

  @Test(
    "is refused with what was expected",
    arguments: [
      ("guess", "guess", "one of none, moment, period, zone-change, trend, adaptive"),
      ("", "", "one of none, moment, period, zone-change, trend, adaptive"),
      ("Moment", "Moment", "one of none, moment, period, zone-change, trend, adaptive"),
      ("none:every=60", "none:every", "no parameters"),
      ("moment:window=60", "moment:window", "only the parameters every, median, jitter, seed, hold"),
      ("period:every=60,span=60", "period:span", "only the parameters every, window, jitter, seed, hold"),
      ("moment:every=60,every=60", "moment:every", "each parameter once"),
      ("moment:every=0", "moment:every=0", "every from 1 to 86400 s"),
      ("moment:every=0.5", "moment:every=0.5", "every from 1 to 86400 s"),
      ("moment:every=-60", "moment:every=-60", "every from 1 to 86400 s"),
      ("moment:every=86401", "moment:every=86401", "every from 1 to 86400 s"),
      ("period:window=0", "period:window=0", "window from 1 to 86400 s"),
      ("period:window=90000", "period:window=90000", "window from 1 to 86400 s"),
      ("moment:every=1e300", "moment:every=1e+300", "every from 1 to 86400 s"),
      ("moment:hold=2", "moment:hold=2", "hold from 0 to 1, a whole number"),
      ("moment:hold=0.5", "moment:hold=0.5", "hold from 0 to 1, a whole number"),
      ("moment:every=60,jitter=30", "jitter=30", "less than half of the 60 s between two judgements"),
      ("zone-change:margin=1.5", "zone-change:margin=1.5", "margin from 0 to 30 bpm, a whole number"),
      (
        "zone-change:every=60", "zone-change:every",
        "only the parameters dwell, margin, reminder, returning, grace, median, hold"
      ),
      ("trend:window=5", "trend:window=5", "window from 10 to 600 s"),
      ("runnerup-like:every=5", "runnerup-like", "one of none, moment, period, zone-change, trend, adaptive"),
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
    #expect(
      throws: ZoneError.strategy(
        text: "moment:window", expected: "only the parameters every, median, jitter, seed, hold")
    ) {
      try JSONDecoder().decode(FeedbackStrategy.self, from: Data(#"{"kind":"moment","window":60}"#.utf8))
    }
  }
}
