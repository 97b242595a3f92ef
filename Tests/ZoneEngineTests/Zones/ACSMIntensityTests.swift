import Testing
import ZoneEngine

@Suite("The intensity by the American College of Sports Medicine")
struct ACSMIntensityTests {
  @Test("is that of the vectors, by the maximum and by the reserve")
  func vectors() throws {
    let maximum = try MaximumHeartRate(measured: 190)
    for row in try PhysiologyVectors.load().acsmMaximum190Resting60 {
      let ofMaximum = ACSMIntensity(displayedBPM: row.beatsPerMinute, maximum: maximum)
      #expect(ofMaximum.rawValue == row.ofMaximum, "\(row)")
      let ofReserve = try ACSMIntensity(displayedBPM: row.beatsPerMinute, maximum: maximum, restingBPM: 60)
      #expect(ofReserve.rawValue == row.ofReserve, "\(row)")
    }
  }

  @Test("begins exactly at the percentage")
  func limits() throws {
    let maximum = try MaximumHeartRate(measured: 200)
    let lowest = [113, 114, 127, 128, 153, 154, 191, 192].map {
      ACSMIntensity(displayedBPM: $0, maximum: maximum).rawValue
    }
    #expect(
      lowest == [
        "veryLight", "light", "light", "moderate", "moderate", "vigorous", "vigorous", "nearMaximal",
      ])
    let reserve = try [129, 130, 139, 140, 159, 160, 189, 190].map {
      try ACSMIntensity(displayedBPM: $0, maximum: maximum, restingBPM: 100).rawValue
    }
    #expect(reserve == lowest)
    #expect(try ACSMIntensity(displayedBPM: 40, maximum: maximum, restingBPM: 100) == .veryLight)
  }

  @Test("needs a reserve")
  func noReserve() throws {
    let maximum = try MaximumHeartRate(measured: 90)
    #expect(throws: ZoneError.restingNotBelowMaximum(resting: 90, maximum: 90)) {
      try ACSMIntensity(displayedBPM: 80, maximum: maximum, restingBPM: 90)
    }
  }
}
