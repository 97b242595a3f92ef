package import TextFormats
internal import WorkoutSession
internal import ZoneEngine

extension Study {
  /// Writes the study as a study file, every parameter with its source, in one order: the same study gives the same text.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", formatVersion)
      writer.member("name", name)
      writer.member("purpose", purpose)
      writer.member("seed", Int64(clamping: seed))
      writer.member("runners", runners)
      if let person = courses.first?.person {
        writer.member("ageYears", person.ageYears)
        writer.member("maximumHeartRateBPM", person.maximumHeartRate)
        writer.member("formula", person.formula.recordName)
      }
      writer.array("courses") { for course in courses { course.write(to: &$0) } }
      writer.array("behaviours") { for behaviour in behaviours { $0.value(behaviour.text) } }
    }
  }

  /// The oldest version of the format that can hold this study: what an older program could read stays as it was.
  private var formatVersion: Int {
    if courses.contains(where: { $0.model.delay != nil || $0.model.transition != nil }) { return 4 }
    if courses.contains(where: { $0.model.heart != .firstOrder }) { return 3 }
    return courses.allSatisfy { $0.model.population == .wise && $0.model.gain == nil } ? 1 : 2
  }

  /// A number that another study has not: with other words, another version of the program, another file behind the name of a
  /// program that is asked, or another protocol of the trial within its sessions.
  package var hash: String {
    var writer = JSONWriter()
    write(to: &writer)
    var hash = ContentHash()
    for byte in Program.version.utf8 { hash.add(byte) }
    for byte in writer.bytes { hash.add(byte) }
    for arm in courses.flatMap(\.arms) { for byte in (arm.strategy.programHash ?? "").utf8 { hash.add(byte) } }
    if let trial { for byte in trial.trial.hash.utf8 { hash.add(byte) } }
    return hash.hexadecimal
  }
}

extension ContentHash {
  /// The number as 16 hexadecimal digits.
  var hexadecimal: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension StudyCourse {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("activity", model.gait.rawValue)
      writer.member("population", model.population == .wise ? nil : model.population.rawValue)
      writer.member("heart", model.heart == .firstOrder ? nil : model.heart.rawValue)
      writer.member("target", targetRequest.text)
      writer.array("arms") { writer in
        for arm in arms {
          writer.object { writer in
            writer.member("name", arm.name)
            writer.member("strategy", arm.strategy.specification)
            writer.member("seconds", arm.seconds)
          }
        }
      }
      if !contrasts.isEmpty {
        writer.array("contrasts") { writer in
          for contrast in contrasts {
            writer.array { writer in
              writer.value(arms[contrast.a].name)
              writer.value(arms[contrast.b].name)
            }
          }
        }
      }
      if let observed {
        writer.object("observed") { writer in
          writer.array("arms") { for arm in observed.arms { $0.value(arms[arm].name) } }
          writer.array("timeInTarget") { for share in observed.timeInTarget { $0.value(share) } }
          writer.member("source", observed.source)
        }
      }
      writer.object("model") { model.write(to: &$0) }
    }
  }
}

extension RunnerModel {
  fileprivate func write(to writer: inout JSONWriter) { write(Key.allCases, to: &writer) }

  /// Writes some of the parameters, then the gain, the delay and the change of gait where there are any.
  func write(_ keys: [Key], to writer: inout JSONWriter) {
    for key in keys { Self.write(self[key], key.rawValue, to: &writer) }
    if let gain { Self.write(gain, Self.gainName, to: &writer) }
    if let delay { Self.write(delay, Self.delayName, to: &writer) }
    if let transition { Self.write(transition, Self.transitionName, to: &writer) }
  }

  private static func write(_ parameter: StudyParameter, _ name: String, to writer: inout JSONWriter) {
    writer.object(JSONKey(name)) { writer in
      writer.member("value", parameter.value)
      writer.member("spread", parameter.spread)
      switch parameter.provenance {
      case .source(let source): writer.member("source", source)
      case .assumption(""): writer.member("assumption", true)
      case .assumption(let reason): writer.member("assumption", reason)
      }
    }
  }
}
