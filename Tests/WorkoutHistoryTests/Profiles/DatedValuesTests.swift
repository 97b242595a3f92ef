import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutHistory
@testable import WorkoutSession

@Suite("Dated values")
struct DatedValuesTests {
  private func value(_ date: String?, _ value: Double) -> DatedValue {
    DatedValue(date: date.flatMap { CivilDate(iso8601: $0) }, value: value, origin: .measured, method: nil)
  }

  @Test("The newest one dated on or before a day is in force, before all of them the oldest, which is reported")
  func inForce() throws {
    let values = try #require(DatedValues([value("2026-03-01", 2), value("2026-01-01", 1), value("2026-05-01", 3)]))
    #expect(values.values.map(\.value) == [1, 2, 3])
    func found(_ day: String) throws -> String {
      let day = try #require(CivilDate(iso8601: day))
      let found = try #require(values.inForce(on: day))
      return "\(Int(found.value.value))" + (found.isLater ? " later" : "")
    }
    #expect(try found("2026-01-01") == "1")
    #expect(try found("2026-02-28") == "1")
    #expect(try found("2026-03-01") == "2")
    #expect(try found("2030-01-01") == "3")
    #expect(try found("2025-12-31") == "1 later")
    let day = try #require(CivilDate(iso8601: "2026-01-01"))
    #expect(DatedValues().inForce(on: day) == nil)
  }

  @Test("One without a date comes before every day")
  func undated() throws {
    let values = try #require(DatedValues([value("2026-03-01", 2), value(nil, 1)]))
    let day = try #require(CivilDate(iso8601: "1950-01-01"))
    #expect(values.inForce(on: day)?.value.value == 1)
    #expect(values.inForce(on: day)?.isLater == false)
    #expect(DatedValues([value(nil, 2), value(nil, 1)]) == nil)
    #expect(DatedValues([value("2026-03-01", 2), value("2026-03-01", 2)]) == nil)
  }

  @Test("A value of the same date replaces the one that was there, whatever the order", arguments: UInt64(0)..<50)
  func property(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var values = DatedValues()
    var reference: [Int: Double] = [:]
    for step in 0..<random.int(1...40) {
      let day = random.int(18_000...18_020)
      let date = try #require(CivilDate(daysSinceEpoch: day))
      if random.chance(0.2) {
        #expect(values.remove(date: date) == (reference.removeValue(forKey: day) != nil), "seed \(seed)")
      } else {
        values.put(DatedValue(date: date, value: Double(step), origin: .estimated, method: nil))
        reference[day] = Double(step)
      }
    }
    #expect(values.values.map(\.value) == reference.sorted { $0.key < $1.key }.map(\.value), "seed \(seed)")
    for day in 17_999...18_021 {
      let known = reference.filter { $0.key <= day }.max { $0.key < $1.key } ?? reference.min { $0.key < $1.key }
      let date = try #require(CivilDate(daysSinceEpoch: day))
      let found = values.inForce(on: date)
      #expect(found?.value.value == known?.value, "seed \(seed), day \(day)")
      #expect(found?.isLater == known.map { $0.key > day }, "seed \(seed), day \(day)")
    }
  }
}
