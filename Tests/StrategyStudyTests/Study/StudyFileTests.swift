import Foundation
import StrategyStudy
import Testing
import TextFormats
import ZoneEngine

@Suite("Study files")
struct StudyFileTests {
  private static let text = """
    {"version": 1, "seed": 7, "runners": 50, "ageYears": 23, "behaviours": ["reflex", "visible+anticipate:rho=1,lead=15"],
     "courses": [{"activity": "walk", "target": "weight-control", "seconds": 900,
       "arms": ["none", {"name": "M 2m", "strategy": "moment:every=120"},
                {"strategy": "period:every=120,window=60", "seconds": 1390}],
       "contrasts": [["M 2m", "none"]],
       "observed": {"arms": ["none", "M 2m", "period:every=120,window=60"], "timeInTarget": [0.45, 0.51, 0.86],
                    "source": "Wise"},
       "model": {"restingHeartRateBPM": {"value": 60, "spread": 5, "source": "somebody"},
                 "speedLagSeconds": {"value": 4, "assumption": true}}}]}
    """

  private func study(_ text: String) throws(JSONError) -> Study { try Study(json: text.utf8.span) }

  private func written(_ study: Study) -> String {
    var writer = JSONWriter()
    study.write(to: &writer)
    return writer.text
  }

  @Test("A file states courses, arms, contrasts and what differs from the usual runner")
  func reading() throws {
    let study = try study(Self.text)
    let course = study.courses[0]
    #expect(study.seed == 7)
    #expect(study.runners == 50)
    #expect(study.behaviours.count == 2)
    #expect(course.target == StudyTarget(lowerBPM: 119, upperBPM: 137))
    #expect(course.model.gait == .walk)
    #expect(course.arms.map(\.name) == ["none", "M 2m", "period:every=120,window=60"])
    #expect(course.arms.map(\.seconds) == [900, 900, 1_390])
    #expect(course.longestSeconds == 1_390)
    #expect(course.contrasts == [StudyContrast(a: 1, b: 0)])
    #expect(course.observed?.arms == [0, 1, 2])
    #expect(abs((course.observed?.gap ?? 0) - 0.35) < 1e-12)
    #expect(course.model[.restingHeartRateBPM] == StudyParameter(60, spread: 5, .source("somebody")))
    #expect(course.model[.speedLagSeconds] == StudyParameter(4, .assumption("")))
    #expect(course.model[.timeConstantSeconds] == RunnerModel.standard(.walk)[.timeConstantSeconds])
    // 900 + 900 + 1390 in arms, 900 + 900 + 1390 + 900 in single sessions, two behaviours, 50 runners.
    #expect(study.runnerSeconds == (3_190 + 4_090) * 2 * 50)
  }

  @Test("What is written is read back as the same study, with every parameter and its source")
  func roundTrip() throws {
    let first = try study(Self.text)
    let text = written(first)
    let second = try study(text)
    #expect(written(second) == text)
    #expect(second.hash == first.hash)
    #expect(second == first)
    for key in RunnerModel.Key.allCases { #expect(text.contains("\"\(key.rawValue)\":{\"value\":")) }
    var other = first
    other.seed = 8
    #expect(other.hash != first.hash)
  }

  @Test(
    "What is wrong is reported with its path",
    arguments: [
      ("\"version\": 1", "\"version\": 5", "version"),
      ("\"seed\": 7", "\"seed\": 7, \"sead\": 7", "sead"),
      ("\"seed\": 7", "\"seed\": -1", "seed"),
      ("\"runners\": 50", "\"runners\": 0", "runners"),
      ("\"ageYears\": 23, ", "", "ageYears"),
      ("\"walk\"", "\"swim\"", "courses[0].activity"),
      ("\"weight-control\"", "\"z9\"", "courses[0].target"),
      ("\"weight-control\"", "\"open\"", "courses[0].target"),
      ("moment:every=120", "moment:every=0", "courses[0].arms[1].strategy"),
      ("\"seconds\": 900,", "", "courses[0].arms[0]"),
      ("\"name\": \"M 2m\"", "\"name\": \"none\"", "courses[0].arms"),
      ("[[\"M 2m\", \"none\"]]", "[[\"M 2m\", \"nobody\"]]", "courses[0].contrasts[0][1]"),
      ("0.51, 0.86", "0.51", "courses[0].observed.timeInTarget"),
      ("\"source\": \"somebody\"", "\"source\": \"\"", "courses[0].model.restingHeartRateBPM.source"),
      (", \"source\": \"somebody\"", "", "courses[0].model.restingHeartRateBPM.assumption"),
      ("\"assumption\": true", "\"assumption\": false", "courses[0].model.speedLagSeconds.assumption"),
      ("\"spread\": 5", "\"spread\": 500", "courses[0].model.restingHeartRateBPM.spread"),
      ("\"spread\": 5, ", "", "courses[0].model.restingHeartRateBPM.spread"),
      ("speedLagSeconds", "speedLagMinutes", "courses[0].model.speedLagMinutes"),
      ("\"reflex\"", "\"reflux\"", "behaviours[0]"),
    ])
  func refused(_ old: String, _ new: String, _ path: String) throws {
    let changed = Self.text.replacingOccurrences(of: old, with: new)
    #expect(changed != Self.text)
    let error = #expect(throws: JSONError.self) { try study(changed) }
    #expect(error.map { "\($0)" }?.contains(path) == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test("A contrast of what is no arm names those that there are")
  func unknownArm() throws {
    let changed = Self.text.replacingOccurrences(of: "[[\"M 2m\", \"none\"]]", with: "[[\"M 2m\", \"moment\"]]")
    let error = #expect(throws: JSONError.self) { try study(changed) }
    let words = error.map { "\($0)" } ?? ""
    #expect(words.contains("expected the name of an arm, one of \"none\", \"M 2m\""), "\(words)")
    #expect(words.hasSuffix(", found \"moment\""), "\(words)")
  }

  @Test(
    "However long and odd a text of the file is, the error is one line with its place",
    arguments: ["reflux", "reflex:lead", "moment:jot", "z9", "1-2-3", "none"])
  func oneLine(_ word: String) throws {
    let long = String(repeating: "x", count: 5_000)
    for odd in ["\\n\\r\\u2028\\u0085\\u0000", long, String(repeating: "\u{1F3C3}", count: 2_000)] {
      for old in ["reflex", "weight-control", "moment:every=120", "M 2m", "walk"] {
        let changed = Self.text.replacingOccurrences(of: "\"\(old)\"", with: "\"\(word)\(odd)\"")
        do throws(JSONError) {
          _ = try study(changed)
        } catch {
          let line = "\(error)"
          #expect(line.hasPrefix("byte "), "\(line.prefix(300))")
          #expect(line.utf8.count <= 1_000, "\(line.prefix(300))")
          let breaks = line.unicodeScalars.contains { $0.value < 0x20 || [0x85, 0x2028, 0x2029].contains($0.value) }
          #expect(!breaks, "\(line)")
        }
      }
    }
  }

  @Test("A population and a gain stand in files from version 2 on, and come back as they were written")
  func populations() throws {
    let text = Self.text.replacingOccurrences(of: "\"version\": 1", with: "\"version\": 2")
      .replacingOccurrences(of: "\"activity\": \"walk\"", with: "\"activity\": \"walk\", \"population\": \"hunt\"")
    let study = try study(text)
    #expect(study.courses[0].model.population == .hunt)
    #expect(study.courses[0].model.gain == RunnerPopulation.hunt.gain)
    #expect(try self.study(written(study)) == study)
    let own = text.replacingOccurrences(
      of: "\"speedLagSeconds\"",
      with: "\"gainBPMPerMeterPerSecond\": {\"value\": 30, \"spread\": 2, \"source\": \"me\"}, \"speedLagSeconds\"")
    #expect(try self.study(own).courses[0].model.gain == StudyParameter(30, spread: 2, .source("me")))
    #expect(try self.study(written(self.study(own))) == self.study(own))
    // An older program would not know what it means.
    for changed in [text, own] {
      let older = changed.replacingOccurrences(of: "\"version\": 2", with: "\"version\": 1")
      let error = #expect(throws: JSONError.self) { try self.study(older) }
      #expect(error.map { "\($0)" }?.contains("courses[0]") == true)
    }
    #expect(written(try self.study(Self.text)).contains("\"version\":1"))
    let odd = text.replacingOccurrences(of: "\"hunt\"", with: "\"nobody\"")
    let error = #expect(throws: JSONError.self) { try self.study(odd) }
    #expect(error.map { "\($0)" }?.contains("courses[0].population") == true)
  }

  @Test("A heart stands in files from version 3 on, and comes back as it was written", arguments: HeartShape.allCases)
  func hearts(_ shape: HeartShape) throws {
    let text = Self.text.replacingOccurrences(of: "\"version\": 1", with: "\"version\": 3")
      .replacingOccurrences(
        of: "\"activity\": \"walk\"", with: "\"activity\": \"walk\", \"heart\": \"\(shape.rawValue)\"")
    let study = try study(text)
    #expect(study.courses[0].model.heart == shape)
    #expect(try self.study(written(study)) == study)
    #expect(written(study).contains("\"version\":\(shape == .firstOrder ? 1 : 3)"))
    #expect(study.courses[0].gaitText == (shape == .firstOrder ? "walk" : "walk (\(shape.rawValue))"))
    let older = text.replacingOccurrences(of: "\"version\": 3", with: "\"version\": 2")
    let error = #expect(throws: JSONError.self) { try self.study(older) }
    #expect(error.map { "\($0)" }?.contains("courses[0].heart") == true)
    let odd = text.replacingOccurrences(of: "\"\(shape.rawValue)\"", with: "\"round\"")
    let wrong = #expect(throws: JSONError.self) { try self.study(odd) }
    #expect(wrong.map { "\($0)" }?.contains("courses[0].heart") == true)
  }

  @Test(
    "A delay and a change of gait stand in files from version 4 on, and come back as they were written",
    arguments: [
      ("delaySeconds", 9.0, 2.0, 20.5), ("walkRunTransitionMetersPerSecond", 1.86, 0.1, 3.3),
    ])
  func lateAndChanging(_ name: String, _ value: Double, _ spread: Double, _ tooMuch: Double) throws {
    func text(_ version: Int, _ value: Double) -> String {
      Self.text.replacingOccurrences(of: "\"version\": 1", with: "\"version\": \(version)")
        .replacingOccurrences(
          of: "\"speedLagSeconds\"",
          with: "\"\(name)\": {\"value\": \(value), \"spread\": \(spread), \"source\": \"me\"}, \"speedLagSeconds\"")
    }
    let study = try study(text(4, value))
    let model = study.courses[0].model
    let parameter = StudyParameter(value, spread: spread, .source("me"))
    #expect((name == "delaySeconds" ? model.delay : model.transition) == parameter)
    #expect((name == "delaySeconds" ? model.transition : model.delay) == nil)
    #expect(written(study).contains("\"version\":4"))
    #expect(try self.study(written(study)) == study)
    #expect(try study.hash != self.study(Self.text).hash)
    for wrong in [text(3, value), text(4, tooMuch), text(4, -1)] {
      let error = #expect(throws: JSONError.self) { try self.study(wrong) }
      #expect(error.map { "\($0)" }?.contains("courses[0].model.\(name)") == true, "\(error.map { "\($0)" } ?? "")")
    }
  }

  @Test("The study of equal lengths has sessions of one length, and each activity in both populations")
  func equalLength() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("studies")
    let study = try study(String(contentsOf: folder.appendingPathComponent("equal-length.json"), encoding: .utf8))
    #expect(study.courses.map(\.model.population) == [.wise, .wise, .hunt, .hunt])
    #expect(study.courses.map(\.model.gait) == [.walk, .run, .walk, .run])
    #expect(study.courses.map(\.durations) == [[1_390], [1_494], [1_390], [1_494]])
    #expect(study.courses.map(\.model.gain?.value) == [nil, nil, 24.2, 24.2])
  }

  @Test("Every study of the repository can be read, states all its parameters, and has the paper's sessions")
  func repository() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("studies")
    let text = try String(contentsOf: folder.appendingPathComponent("wise-table-2.json"), encoding: .utf8)
    let study = try study(text)
    #expect(study.courses.map(\.model.gait) == [.walk, .run])
    #expect(study.behaviours.count >= 6)
    #expect(study.courses.allSatisfy { $0.target == StudyTarget(lowerBPM: 119, upperBPM: 137) })
    #expect(study.courses.map { $0.arms.prefix(3).map(\.seconds) } == [[3_842, 1_129, 1_390], [1_787, 1_275, 1_494]])
    #expect(study.courses.map { $0.observed?.timeInTarget } == [[0.45, 0.51, 0.86], [0.43, 0.55, 0.83]])
    for key in RunnerModel.Key.allCases {
      #expect(text.components(separatedBy: "\"\(key.rawValue)\"").count == 3, "\(key.rawValue) on both courses")
    }
  }
}
