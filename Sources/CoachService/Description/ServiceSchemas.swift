internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// The schemas of bodies and parameters, in JSON Schema 2020-12, as text.
///
/// A schema says what is taken whatever else is in the request. What holds only together with something else, such as a
/// window that has to fit, is described in words.
enum ServiceSchemas {
  /// The name of a person.
  static let name = #"{"type":"string","pattern":"^[A-Za-z0-9_-]{1,40}$"}"#
  /// A day.
  static let day =
    #"{"type":"string","pattern":"^(19|20)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])$","examples":["2026-11-20"]}"#
  /// A day of birth.
  static let birthDate =
    #"{"type":"string","pattern":"^(19[5-9][0-9]|200[0-9])-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])$","examples":["1990-05-17"]}"#
  /// The formulas that ask for nothing but the age.
  static let plainFormulas = ["fox", "tanaka", "gellish", "nes", "inbar", "miller"]
  /// Where a list goes on.
  static let cursor =
    #"{"type":"string","pattern":"^1[0-9]{18}_20[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3])[0-5][0-9][0-5][0-9]Z-[a-z]{1,20}-[0-9a-f]{8}$"}"#

  /// What a refusal says.
  static let problem =
    #"{"type":"object","required":["type","title","status","detail","code"],"properties":{"type":{"const":"about:blank"},"title":{"type":"string"},"status":{"type":"integer"},"detail":{"type":"string"},"code":{"enum":["#
    + ServiceProblem.Code.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
    + #"]},"pointer":{"type":"string"},"parameter":{"type":"string"}}}"#

  /// A part of a path.
  static func pathPart(_ name: String) -> String {
    name == "name" ? Self.name : #"{"type":"string","pattern":"^[A-Za-z0-9_-]{1,80}$"}"#
  }

  /// What a part of a path means.
  static func meaning(ofPathPart name: String) -> String {
    switch name {
    case "id": "the identity of what is meant"
    case "name": "the name of the person"
    case "key": "the key, which is a secret"
    default: "which one is meant"
    }
  }

  // MARK: - What is asked for

  /// What a session is called: a label as on a command line, without a space at its beginning or its end.
  static let activity =
    #"{"type":"string","pattern":"^[\#(letter)_-]([\#(letter) _-]{0,38}[\#(letter)_-])?$","description":"up to 40 letters of any alphabet, digits, spaces, hyphens and underscores","examples":["running","trail run"]}"#

  /// Digits, and letters of Latin, Cyrillic and Chinese, which stand for those of all alphabets.
  private static let letter = #"A-Za-z0-9\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u024F\u0410-\u044F\u4E00-\u9FFF"#

  private static let target =
    #"{"type":"string","pattern":"^(z[1-5]|[Ll]ow[ -]intensity|[Ww]eight[ -]control|[Aa](na)?erobic|[Mm]aximum|1[0-2][0-9]-1[3-9][0-9]|[4-7]:[0-5][0-9]/km(-gap)?|1[0-5]km/h|1[5-9][0-9]spm)$","description":"a zone by number or name, heart rates such as 119-137, a pace such as 5:30/km, 5:20-5:40/km, 8:30/mi or by grade 5:30/km-gap, a speed such as 12km/h, or a cadence such as 170-180spm","examples":["z2"]}"#

  private static let plan =
    #"{"type":"object","additionalProperties":false,"required":["steps"],"properties":{"steps":{"type":"array","minItems":1,"maxItems":\#(TrainingPlan.largestCount),"description":"a step may have distanceMeters in place of durationSeconds, or neither: then it lasts until a lap","items":{"type":"object","additionalProperties":false,"properties":{"name":{"type":"string","minLength":1},"durationSeconds":{"type":"number","minimum":1,"maximum":86400},"target":\#(target),"activity":{"enum":["walking","running"]}}}}}}"#

  /// A person, of whom at least what the zones need is known.
  private static let profile: String = {
    let formulas = plainFormulas.map { "\"\($0)\"" }.joined(separator: ",")
    let members = [
      #""ageYears":{"type":"integer","minimum":1,"maximum":120}"#, #""sex":{"enum":["female","male"]}"#,
      #""weightKilograms":{"type":"number","minimum":20,"maximum":300}"#,
      #""restingHeartRate":{"type":"integer","minimum":20,"maximum":220}"#,
      #""maximumHeartRate":{"type":"integer","minimum":60,"maximum":250}"#,
      #""maximumHeartRateOrigin":{"enum":["measured","estimated"]}"#,
      #""thresholdHeartRate":{"type":"integer","minimum":60,"maximum":230}"#, #""formula":{"enum":[\#(formulas)]}"#,
    ]
    return
      #"{"type":"object","additionalProperties":false,"anyOf":[{"required":["ageYears"]},{"required":["maximumHeartRate"]}],"description":"birthDate may stand in place of ageYears","properties":{"#
      + members.joined(separator: ",") + "}}"
  }()

  /// A strategy with its parameters; `jitter` is left to its description, for it has to be under half of `every`.
  private static let strategy: String = {
    let kinds = StrategyDescription.all.map { strategy in
      var members = [#""kind":{"const":"\#(strategy.kind)"}"#]
      for parameter in strategy.parameters where parameter.key != "jitter" {
        let type = parameter.isWhole ? "integer" : "number"
        let (low, high) = (JSONNumber(parameter.range.lowerBound).text, JSONNumber(parameter.range.upperBound).text)
        members.append(#""\#(parameter.key)":{"type":"\#(type)","minimum":\#(low),"maximum":\#(high)}"#)
      }
      return
        #"{"type":"object","additionalProperties":false,"required":["kind"],"properties":{\#(members.joined(separator: ","))}}"#
    }
    return #"{"oneOf":[\#(kinds.joined(separator: ","))],"description":"GET /v1/strategies lists all parameters"}"#
  }()

  /// What every request may have.
  private static let guidance: String = {
    let coaches = CoachPreset.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
    let span = #"{"type":"number","minimum":0,"maximum":86400}"#
    let ceiling = SafetyCeiling.plausible
    return [
      #""coach":{"enum":[\#(coaches)]}"#, #""strategy":\#(strategy)"#,
      #""guardrails":{"type":"object","additionalProperties":false,"properties":{"warmUpSeconds":\#(span),"minimumIntervalSeconds":\#(span),"graceSeconds":\#(span)}}"#,
      #""ceiling":{"oneOf":[{"const":"off"},{"type":"object","additionalProperties":false,"required":["beatsPerMinute"],"properties":{"beatsPerMinute":{"type":"integer","minimum":\#(ceiling.lowerBound),"maximum":\#(ceiling.upperBound)},"afterSeconds":{"type":"number","minimum":1,"maximum":600}}}],"description":"when nothing is said: the usual one, where a maximum is known"}"#,
      #""activity":\#(activity)"#,
    ].joined(separator: ",")
  }()

  private static func request(_ more: [String], requiring required: [String]) -> String {
    let ofSession =
      #","durationLimitSeconds":{"type":"number","minimum":1,"maximum":864000},"clock":{"enum":["samples","wall","auto"],"description":"what moves the session on between samples; a replay is moved on by its samples alone"},"origin":{"enum":["live","imported","simulated"]},"recognize":{"type":"string","minLength":1,"description":"the name of a model with which the service was started"},"autoPause":{"type":"boolean","description":"whether the session pauses while somebody stands still"}"#
    let together = #","dependentRequired":{"autoPause":["recognize"]}"#
    return
      #"{"type":"object","additionalProperties":false,"required":["#
      + required.map { "\"\($0)\"" }.joined(separator: ",") + #"],"properties":{"# + more.joined(separator: ",") + ","
      + guidance + ofSession + "}" + together + "}"
  }

  private static let zoneModel =
    #""zoneModel":{"type":"object","additionalProperties":false,"required":["kind"],"description":"other kinds as in scenario files","properties":{"kind":{"enum":["percentOfMaximum"]}}}"#

  /// What a session is asked for.
  static let order = anyOf(
    orders()
      + [request([#""person":\#(name)"#, #""target":\#(target)"#], requiring: ["person"])])

  /// What the sessions of a key are asked for: its person is known, and needs no name in it.
  static let orderOfKey = anyOf(orders(hasPerson: true))

  /// What is replayed, and by what.
  static let replay: String = {
    let sample =
      #"{"type":"object","required":["type","atSeconds","beatsPerMinute"],"properties":{"type":{"const":"heartRate"},"atSeconds":{"type":"number","minimum":0,"maximum":86400},"beatsPerMinute":{"type":"number","minimum":-1e15,"maximum":1e15},"source":{"type":"string","minLength":1}},"description":"a line of a live stream: heartRate, steps, location, altitude, motion, cadence, distance, speed, rrInterval, direction or command"}"#
    return
      #"{"type":"object","additionalProperties":false,"required":["request","samples"],"properties":{"request":\#(order),"samples":{"type":"array","minItems":1,"maxItems":100000,"items":\#(sample)}}}"#
  }()

  private static func anyOf(_ variants: [String]) -> String { #"{"anyOf":[\#(variants.joined(separator: ","))]}"# }

  /// - Parameter hasPerson: whether it is known from elsewhere who it is.
  private static func orders(hasPerson: Bool = false) -> [String] {
    let members = [#""profile":\#(profile)"#, zoneModel]
    let required = hasPerson ? [] : ["profile"]
    return [
      request(members + [#""target":\#(target)"#], requiring: required),
      request(members + [#""plan":\#(plan)"#], requiring: required + ["plan"]),
    ]
  }

  // MARK: - People and tokens

  private static let fieldNames = LiveField.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ",")

  private static let personMembers = [
    #""birthDate":\#(birthDate)"#, #""sex":{"enum":["female","male"]}"#,
    #""weightKg":{"type":"number","minimum":20,"maximum":300}"#,
    #""units":{"enum":["metric","imperial"]}"#, #""language":{"enum":["en","de"]}"#,
    #""fields":{"type":"array","minItems":1,"maxItems":\#(LiveField.mostCount),"uniqueItems":true,"items":{"enum":[\#(fieldNames)]}}"#,
    #""formula":{"enum":[\#(plainFormulas.map { "\"\($0)\"" }.joined(separator: ","))]}"#,
  ].joined(separator: ",")

  /// A new person.
  static let newPerson =
    #"{"type":"object","additionalProperties":false,"required":["name","birthDate"],"description":"further members: those of the options of `coach profile set`, such as restingHeartRate, maxHeartRate, thresholdHeartRate, date, estimated, method, zoneModel, study","properties":{"name":\#(name),\#(personMembers)}}"#

  /// What is new of a person.
  static let person =
    #"{"type":"object","additionalProperties":false,"minProperties":1,"description":"further members: those of the options of `coach profile set`","properties":{\#(personMembers),"forgetLearned":{"enum":[true]}}}"#

  /// A new token.
  static let token =
    #"{"type":"object","additionalProperties":false,"required":["scopes"],"properties":{"scopes":{"type":"array","minItems":1,"uniqueItems":true,"items":{"enum":["send","watch","manage"]}},"person":\#(name),"session":{"type":"string","pattern":"^20[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3])[0-5][0-9][0-5][0-9]Z-[a-z]{1,20}-[0-9a-f]{8}$"},"group":\#(pathPart("id")),"days":{"type":"integer","minimum":1,"maximum":3650}}}"#

  /// A new group.
  static let group =
    #"{"type":"object","additionalProperties":false,"required":["name"],"properties":{"name":{"type":"string","pattern":"^[!-~]([ -~]{0,58}[!-~])?$","description":"1 to 60 characters that are seen, of any script","examples":["tuesday"]}}}"#

  /// What a member of a group shares.
  static let shares =
    #"{"type":"object","additionalProperties":false,"required":["shares"],"properties":{"shares":{"type":"array","uniqueItems":true,"items":{"enum":["heartRate","position"]}}}}"#

  /// A command.
  static let command: String = {
    let id = #""type":{"const":"command"},"id":{"type":"string"}"#
    let simple =
      #"{"type":"object","additionalProperties":false,"required":["id","command"],"properties":{\#(id),"command":{"enum":["start","pause","resume","lap","stop"]}}}"#
    let aim =
      #"{"type":"object","additionalProperties":false,"required":["id","command","target"],"properties":{\#(id),"command":{"const":"target"},"target":\#(target)}}"#
    return #"{"oneOf":[\#(simple),\#(aim)]}"#
  }()
}
