import Testing
import TextFormats
import ZoneEngine
@testable import coach

@Suite("Values of options")
struct ArgumentsValueTests {
  let table = CommandTable.coach

  @Test("A whole number is refused outside of its range, with a fraction and with anything around it")
  func integers() throws {
    #expect(try table.run("zones --age 1")[ZoneOptions.age] == 1)
    #expect(try table.run("zones --age 120")[ZoneOptions.age] == 120)
    for text in ["0", "121", "-5", "23.5", "23a", "0x17", "１２", "99999999999999999999"] {
      #expect(
        table.refusal("zones --age \(text)")
          == "coach: --age: expected a whole number from 1 to 120, found \"\(text)\"")
    }
  }

  @Test("A number is decimal and finite")
  func numbers() throws {
    #expect(try table.run("zones --weight-kg 72.5")[ZoneOptions.weight] == 72.5)
    #expect(try table.run("zones --weight-kg 7.25e1")[ZoneOptions.weight] == 72.5)
    for text in ["nan", "inf", "0x48", "1e999", "19.9", "300.1", "72,5"] {
      #expect(
        table.refusal("zones --weight-kg \(text)")
          == "coach: --weight-kg: expected a number from 20 to 300, found \"\(text)\"")
    }
  }

  @Test("A choice is one of its words, spelled exactly, and the nearest is named otherwise")
  func choices() throws {
    for formula in MaximumHeartRateFormula.allCases {
      #expect(try table.run("zones --formula \(formula.rawValue)")[ZoneOptions.formula] == formula)
    }
    #expect(
      table.refusal("zones --format JSON")
        == #"coach: --format: expected one of text, json, jsonl, found "JSON"; did you mean json?"#)
    #expect(
      table.refusal("live --source bluetooth")
        == #"coach: --source: expected stdin, file:PATH, tcp:HOST:PORT, unix:PATH, strap or simulated[:SEED], found "bluetooth""#
    )
  }

  @Test("A list of words has every word at most once")
  func choiceLists() throws {
    #expect(try table.run("live --streams motion,heart-rate")[SessionOptions.streams] == [.motion, .heartRate])
    #expect(
      table.refusal("live --streams steps,steps")
        == #"coach: --streams: expected every word once, found "steps,steps""#)
    #expect(table.refusal("live --streams steps,")?.hasPrefix("coach: --streams: expected one of heart-rate") == true)
  }

  @Test("A date is a day of the calendar")
  func dates() throws {
    #expect(
      try table.run("zones --birth-date 2000-02-29")[ZoneOptions.birthDate]
        == CivilDate(year: 2000, month: 2, day: 29))
    for text in [
      "1900-02-29", "2001-13-01", "2001-04-31", "2001-4-3", "01-04-2003", "20010403", "1599-12-31", "+200-01-01",
    ] {
      #expect(table.refusal("zones --birth-date \(text)")?.contains("expected a day as YYYY-MM-DD") == true)
    }
  }

  @Test(
    "A target is a zone or a range of heart rates, and what is asked for from there on",
    arguments: [
      ("119-137", TargetRequest(119...137)), ("+119-0137", "119-137"), ("120-120", TargetRequest(120...120)),
      ("2", "2"),
      ("z2", "z2"), ("weight-control", "weight-control"), ("weight control", "weight control"),
    ] as [(String, TargetRequest)])
  func targets(text: String, target: TargetRequest) throws {
    #expect(try table.run(words: ["replay", "a", "--target", text])[GuidanceOptions.target] == target)
  }

  @Test(
    "A range of heart rates ascends and is plausible", arguments: ["137-119", "119-", "20-100", "100-251", "1-2-3"])
  func wrongTargets(text: String) {
    #expect(
      table.refusal("replay a --target \(text)")
        == "coach: --target: expected a zone, LOW-HIGH in beats per minute from 30 to 250, a pace like 5:30/km, a speed like "
        + "12km/h, or a cadence like 170-180spm, found \"\(text)\"")
  }

  @Test("Zone edges ascend")
  func bounds() throws {
    #expect(try table.run("zones --bounds 98,118,137")[ZoneOptions.bounds] == [98, 118, 137])
    for text in ["98", "98,98", "118,98", "98,,118", "98,118,", "98, 118", "29,118", "a,b"] {
      #expect(table.refusal(words: ["zones", "--bounds", text])?.contains("ascending heart rates") == true)
    }
  }

  @Test(
    "A duration is minutes, or says its units",
    arguments: [
      ("30", 1800), ("0.5", 30), ("30m", 1800), ("1h30m", 5400), ("1h30s", 3630), ("90s", 90), ("48h", 172_800),
    ] as [(String, Double)])
  func durations(text: String, seconds: Double) throws {
    #expect(try table.run("live --duration \(text)")[SessionOptions.duration] == SessionTime(seconds: seconds))
  }

  @Test(
    "A duration has its units once and in order",
    arguments: ["0", "-5", "1h30", "m", "1m1h", "5m5m", "49h", "1d", "1.5h", "½"])
  func wrongDurations(text: String) {
    #expect(table.refusal("live --duration \(text)")?.contains("expected a duration from 1s to 48h") == true)
  }

  @Test("A span of seconds becomes session time")
  func spans() throws {
    let arguments = try table.run("live --warm-up 90.5 --minimum-interval 0")
    #expect(arguments[GuidanceOptions.warmUp] == SessionTime(seconds: 90.5))
    #expect(arguments[GuidanceOptions.minimumInterval] == .zero)
    #expect(table.refusal("live --warm-up -1")?.contains("expected a number from 0 to 86400") == true)
  }

  @Test("A speed is a factor, or max")
  func speeds() throws {
    #expect(try table.run("replay a --speed max")[SessionOptions.speed] == .maximum)
    #expect(try table.run("replay a --speed 2.5")[SessionOptions.speed] == .times(2.5))
    #expect(table.refusal("replay a --speed 0")?.contains("expected a number from 0.1 to 100000, or max") == true)
  }

  @Test("A label can stand in a folder's name")
  func labels() throws {
    #expect(try table.run("live --activity läufe_2-b")[SessionOptions.activity] == "läufe_2-b")
    for text in ["../x", "a/b", " a", ".", "a\nb", "", String(repeating: "a", count: 41)] {
      #expect(table.refusal(words: ["live", "--activity", text])?.contains("expected up to 40 letters") == true)
    }
  }
}
