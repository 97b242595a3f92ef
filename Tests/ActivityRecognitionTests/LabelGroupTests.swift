import Testing

@testable import ActivityRecognition

private func corpus() throws -> MotionCorpus {
  var text = "time_s,acc_x_g,acc_y_g,acc_z_g,gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s,activity\n"
  for (number, label) in ["sit", "std", "wlk", ""].enumerated() {
    for point in 0..<50 { text += "\(Double(number * 50 + point) / 100),0,0,1,1,2,3,\(label)\n" }
  }
  return MotionCorpus([try #require(MadeUpMotion.file("a.csv", text))], personFrom: .file)
}

@Suite("Labels that mean one activity")
struct LabelGroupTests {
  @Test("Labels of a group become one, others stay, and what has no label gets none")
  func merged() throws {
    let before = try corpus()
    let after = try before.merging([LabelGroup(name: "zero", labels: ["sit", "std"])])
    #expect(before.labels == ["sit", "std", "wlk"])
    #expect(after.labels == ["wlk", "zero"])
    #expect([0, 60, 120, 180].map { after.recordings[0].labels[$0] } == [1, 1, 0, -1])
    #expect(after.recordings[0].samples == before.recordings[0].samples)
    #expect(try before.merging([]).labels == before.labels)
  }

  @Test("A label that is not there, and one in two groups, are reported")
  func refused() throws {
    let before = try corpus()
    #expect(throws: LabelGroupProblem.missing("jog", labels: ["sit", "std", "wlk"])) {
      _ = try before.merging([LabelGroup(name: "run", labels: ["jog"])])
    }
    #expect(throws: LabelGroupProblem.twice("sit")) {
      _ = try before.merging([
        LabelGroup(name: "a", labels: ["sit"]), LabelGroup(name: "b", labels: ["std", "sit"]),
      ])
    }
  }

  @Test("Without turning rates recordings are as of a device that has none")
  func withoutGyroscope() throws {
    let before = try corpus()
    let after = before.withoutRotationRate
    #expect(before.hasRotationRate)
    #expect(!after.hasRotationRate)
    #expect(after.recordings[0].samples[7] == SIMD8(0, 0, 1, 0, 0, 0, 0, 0))
    #expect(before.recordings[0].samples[7] == SIMD8(0, 0, 1, 1, 2, 3, 0, 0))
  }
}
