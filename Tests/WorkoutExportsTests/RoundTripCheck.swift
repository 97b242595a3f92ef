import Foundation
import Recordings
import TestSupport
import Testing
import TextFormats
import WorkoutExports
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

extension RoundTrip {
  /// Compares every sample, the facts and the bytes of a second round with what the table of losses says.
  func check(_ format: ExportFormat, _ what: String) throws {
    let table = try #require(FormatLosses.of[format])
    #expect(copy.facts.format == format.rawValue, "\(what)")
    // Made-up positions may be too far from each other.
    #expect(
      copy.facts.warnings.allSatisfy { [.clockNeverSet, .fasterThanSport].contains($0.kind) },
      "\(what): \(copy.facts.warnings)")
    var expected = try table.expected(of: original)
    var found = try FormatLosses.samples(of: copy)
    if original.facts.start == nil {
      // Without a clock times count from the first reading.
      for index in expected.indices.reversed() { expected[index].time -= expected[0].time }
      for index in found.indices.reversed() { found[index].time -= found[0].time }
    }
    #expect(expected.count == found.count, "\(what)")
    var different: [String] = []
    var (steps, stepsBack) = (0.0, 0.0)
    // The metres of several activities are added up, and those of points without a position are gone.
    let dropsMeters = table.needsPosition && original.facts.parts.count > 1
    for (left, right) in zip(expected, found) {
      steps += left.values[.steps]?[0] ?? 0
      stepsBack += right.values[.steps]?[0] ?? 0
      let isSame =
        left.time == right.time && left.stream == right.stream && Set(left.values.keys) == Set(right.values.keys)
        && left.values.allSatisfy { quantity, values in
          zip(values, right.values[quantity] ?? []).allSatisfy { value, back in
            value == back || quantity == .distance && dropsMeters
              || abs(value - back) <= (table.tolerances[quantity] ?? 0)
              || quantity == .longitude && abs(abs(value - back) - 360) <= (table.tolerances[quantity] ?? 0)
          }
        }
      if !isSame { different.append("\(left) became \(right)") }
    }
    #expect(different.isEmpty, "\(what): \(different.count), first \(different.first ?? "")")
    #expect(abs(steps - stepsBack) <= (table.tolerances[.steps] ?? 0) * Double(max(1, original.facts.parts.count)))
    checkFacts(expected, table, what)
    // What was written once comes out the same again.
    #expect(try Self.export(copy, as: format).bytes == bytes, "\(what): a second round differs")
  }

  private func checkFacts(_ expected: [FormatLosses.Flat], _ table: FormatLosses, _ what: String) {
    let rates = expected.compactMap { $0.values[.heartRate]?.first }.filter { $0 > 0 }
    let facts = copy.facts.heartRate
    #expect(facts?.statistics.count ?? 0 == rates.count, "\(what)")
    #expect(facts?.statistics.sum ?? 0 == rates.reduce(0, +), "\(what)")
    #expect(facts?.statistics.minimum == rates.min(), "\(what)")
    #expect(facts?.statistics.maximum == rates.max(), "\(what)")
    #expect(facts?.first == rates.first, "\(what)")
    #expect(facts?.last == rates.last, "\(what)")
    let pauses = FormatLosses.pauses(of: copy)
    let wanted = table.expectedPauses(of: original, expected)
    #expect(pauses.map { "\($0)" } == wanted.map { "\($0)" }, "\(what)")
    if table.keepsActivities, !table.needsPosition {
      #expect(copy.facts.activityCount == original.facts.activityCount, "\(what)")
    }
    if table.keepsDevice, let device = original.facts.device { #expect(copy.facts.device == device, "\(what)") }
    if let tolerance = table.statedMeters, let meters = original.facts.recordedMeters {
      #expect(abs((copy.facts.recordedMeters ?? -1) - meters) <= tolerance, "\(what)")
    }
  }
}
