import TestSupport
import Testing
import ZoneEngine

@testable import WorkoutSession

@Suite("Lines of the live stream that are read in one go")
struct PlainLiveLineTests {
  /// A line of members in any order, most of them as they should be.
  private func line(_ random: inout SplitMix64) -> String {
    func pick(_ texts: [String]) -> String { texts[Int.random(in: 0..<texts.count, using: &random)] }
    // One part of many is odd, so that some lines have one and many have none.
    func usually(_ usual: [String], _ odd: [String]) -> String {
      Int.random(in: 0...24, using: &random) == 0 ? pick(odd) : pick(usual)
    }
    func number() -> String {
      usually(
        ["0", "-0", "1", "60", "2.5", "-1.25", "46.7701", "0.1", "100000"],
        [
          "1e3", "01", "1.", ".5", "+1", "-", "100001", "123456789012345678901", "0.30000000000000004", "180", "null",
          "999999999999999", "1000000000000000", "1000000000000001", "999999999999999.9", "-1e16",
          "\"1\"", "90.5", "-91", "1.5.5",
        ])
    }
    func axes() -> String {
      "[" + (0..<(usually(["3"], ["2", "4"]) == "3" ? 3 : 2)).map { _ in number() }.joined(separator: ",") + "]"
    }
    func many() -> String {
      "[" + (0..<Int.random(in: 1...3, using: &random)).map { _ in axes() }.joined(separator: ",") + "]"
    }
    var members = [
      #""type":"\#(usually(["heartRate", "steps", "location", "motion", "motion", "altitude"], ["command", "heartrate"]))""#,
      usually(
        [
          #""time":"2026-11-20T07:00:00Z""#, #""time":"2026-11-20T07:00:00.25+02:00""#, #""atSeconds":1.5"#,
          #""atSeconds":0.1234567895"#,
        ], [#""time":5"#, #""time":"soon""#, #""atSeconds":864001"#, #""atSeconds":-1"#, #""atSeconds":"1""#]),
    ]
    for key in ["beatsPerMinute", "count", "latitude", "longitude"] where Int.random(in: 0...6, using: &random) > 0 {
      members.append(#""\#(key)":\#(usually(["1", "60", "0"], [number()]))"#)
    }
    for key in [
      "altitudeMeters", "horizontalAccuracyMeters", "speedMetersPerSecond", "verticalAccuracyMeters", "courseDegrees",
      "headingAccuracyDegrees",
    ] where Bool.random(using: &random) {
      members.append(#""\#(key)":\#(number())"#)
    }
    let isBlock = Bool.random(using: &random)
    let single = ["[1,2,3]", axes()]
    let blocks = ["[[1,2,3]]", "[[1,2,3],[4,5.5,-6]]", many()]
    for key in ["acceleration", "rotationRate", "magneticField"] where Bool.random(using: &random) {
      members.append(
        #""\#(key)":\#(usually(isBlock ? blocks : single, (isBlock ? single : blocks) + ["[]", "[[]]"]))"#)
    }
    if Bool.random(using: &random) { members.append(#""rateHz":\#(usually(["50", "100"], [number()]))"#) }
    if Bool.random(using: &random) {
      members.append(#""source":\#(usually(["\"strap\""], ["\"\"", #""a\u0041""#, "\"Brustgurt Läufer\"", "7"]))"#)
    }
    if Bool.random(using: &random) {
      members.append(#""rrMilliseconds":\#(usually(["[]", "[812]", "[812, 798.5]"], ["[-1]", "[1000001]", "8"]))"#)
    }
    if Int.random(in: 0...24, using: &random) == 0 { members.append(#""battery":{"a":[1,2]}"#) }
    if Int.random(in: 0...24, using: &random) == 0 {
      members.append(members[Int.random(in: 0..<members.count, using: &random)])
    }
    members.shuffle(using: &random)
    let space = pick(["", "", " ", "\t "])
    let text = "{\(space)" + members.joined(separator: ",\(space)") + "\(space)}" + usually(["", " "], ["x", "}"])
    return Int.random(in: 0...9, using: &random) == 0
      ? String(text.dropLast(Int.random(in: 1...9, using: &random))) : text
  }

  @Test("are what the careful way makes of them, over seeds")
  func sameAsCareful() {
    var plainLines = 0
    for seed in 0..<8_000 {
      var random = SplitMix64(seed: UInt64(seed))
      let text = line(&random)
      guard let plain = PlainLiveLine.read(text.utf8.span) else { continue }
      plainLines += 1
      do throws(LiveLineProblem) {
        let careful = try LiveLine(carefully: text.utf8.span)
        #expect(plain == careful, "seed \(seed): \(text)")
      } catch {
        Issue.record("seed \(seed): \(text): \(error)")
      }
    }
    #expect(plainLines > 1_000)
  }

  @Test(
    "are those that most senders send",
    arguments: [
      #"{"type":"heartRate","time":"2026-11-20T07:00:00Z","beatsPerMinute":142,"source":"strap"}"#,
      #"{"type":"heartRate","atSeconds":1.5,"beatsPerMinute":143,"rrMilliseconds":[424,419]}"#,
      #"{"type": "steps", "time": "2026-11-20T07:00:01.250Z", "count": 17}"#,
      #"{"type":"location","atSeconds":2,"latitude":52.5,"longitude":13.4,"altitudeMeters":34,"#
        + #""horizontalAccuracyMeters":5,"speedMetersPerSecond":2.8}"#,
      #"{"type":"motion","atSeconds":2,"acceleration":[0,0,1],"rotationRate":[0,0,0],"magneticField":[20,0,40]}"#,
      #"{"type":"motion","atSeconds":2,"rateHz":50,"acceleration":[[0,0,1],[0,0.1,0.99]]}"#,
    ])
  func usual(text: String) throws {
    let read = PlainLiveLine.read(text.utf8.span)
    let plain = try #require(read)
    let careful = try LiveLine(carefully: text.utf8.span)
    #expect(plain == careful)
  }

  @Test("are not cut off anywhere")
  func cut() {
    let text = #"{"type":"motion","atSeconds":2,"rateHz":50,"acceleration":[[0,0,1],[0,0.1,0.99]]}"#
    for count in 0..<text.utf8.count {
      let bytes = Array(text.utf8.prefix(count))
      let read = PlainLiveLine.read(bytes.span)
      #expect(read == nil, "\(count)")
    }
  }
}
