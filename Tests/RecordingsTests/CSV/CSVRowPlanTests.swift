@testable import Recordings
import Testing
import TextFormats

@Suite("What the rows of a table are planned to give")
struct CSVRowPlanTests {
  private func columns(_ header: String) -> CSVColumns {
    CSVColumns(header: header.split(separator: ",").map { String($0) })
  }

  private func plan(_ header: String) -> CSVRowPlan {
    CSVRowPlan(columns(header), CSVStyle(columns(header), delimiter: .comma))
  }

  @Test("A heart rate and a speed alone are narrow, and anything beside them is not")
  func narrow() {
    #expect(plan("time,heart_rate,speed").isNarrow)
    for more in ["steps", "cadence", "distance", "altitude", "label", "latitude,longitude"] {
      #expect(!plan("time,heart_rate,\(more)").isNarrow, "\(more)")
    }
  }

  @Test("A position needs both of its numbers, a vector all three of its axes")
  func whole() {
    #expect(!plan("time,heart_rate,latitude").hasPlace)
    #expect(plan("time,latitude,longitude").hasPlace)
    #expect(!plan("time,heart_rate,acc_x,acc_y").hasMotion)
    #expect(plan("time,acc_x,acc_y,acc_z").hasMotion)
  }

  @Test(
    "A count since the start is read where the steps themselves are not there",
    arguments: [
      ("time,steps,steps_cumulative", [CSVRow.Use.number(slot: CSVSlot.steps), .nothing]),
      ("time,heart_rate,steps_cumulative", [.number(slot: CSVSlot.heartRate), .number(slot: CSVSlot.cumulativeSteps)]),
    ])
  func steps(header: String, expected: [CSVRow.Use]) throws {
    let columns = columns(header)
    let style = CSVStyle(columns, delimiter: .comma)
    let uses = CSVRowPlan(columns, style).uses(of: columns, try #require(columns.time), style)
    #expect(Array(uses.dropFirst()) == expected)
  }
}
