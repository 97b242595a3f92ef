internal import ActivityRecognition

extension InputCheck {
  /// CSV of the motion sensors: as a whole and in pieces, then everything that is done with it.
  package static let motionCSV = InputCheck(
    name: "motion-csv", longestInput: 8_192, seeds: MotionCSVSeeds.all,
    violation: { bytes in
      let (whole, pieces) = (ReadMotion(bytes, in: nil), ReadMotion(bytes, in: BytePieces(of: bytes)))
      guard whole.text == pieces.text else { return "as a whole: \(whole.text); in pieces: \(pieces.text)" }
      if let error = whole.error { return error.contains("\n") ? "an error of several lines: \(error)" : nil }
      return whole.recordings == pieces.recordings ? whole.violation : "as a whole and in pieces the samples differ"
    },
    isUsable: { ReadMotion($0, in: nil).error == nil })
}

/// What a file of motion gives.
private struct ReadMotion {
  /// What has to be the same in pieces.
  struct Recording: Equatable {
    let trial: String
    let start: Double
    let samples: [SIMD8<Float>]
    let labels: [Int16]
  }

  let file: MotionFile?
  let error: String?

  init(_ bytes: [UInt8], in pieces: BytePieces?) {
    var reader = MotionCSVReader(source: "-")
    do {
      if let pieces {
        try pieces.forEach(of: bytes) { (piece: Span<UInt8>) throws in try reader.feed(piece) }
      } else {
        try reader.feed(bytes.span)
      }
      (file, error) = (try reader.finish(), nil)
    } catch {
      (file, self.error) = (nil, "\(error)")
    }
  }

  var recordings: [Recording] {
    (file?.recordings ?? []).map {
      Recording(trial: $0.trial, start: $0.startSeconds, samples: $0.samples, labels: $0.labels)
    }
  }

  var text: String {
    error ?? "\(recordings.count) recordings, labels \(file?.labels ?? []), \((file?.notices ?? []).map(\.text))"
  }

  /// The first thing that does not hold for what was read.
  var violation: String? {
    guard let file else { return nil }
    let corpus = MotionCorpus([file], personFrom: .session)
    for line in MotionNotice.lines(corpus.notices) where line.contains("\n") { return "a notice of several lines" }
    for recording in corpus.recordings {
      guard recording.samples.allSatisfy({ sample in (0..<8).allSatisfy { sample[$0].isFinite } }) else {
        return "a sample that is not finite"
      }
      guard recording.labels.allSatisfy({ corpus.labels.indices.contains(Int($0)) || $0 == -1 }) else {
        return "a label without a name"
      }
      let steps = StepCounter.steps(recording.samples)
      guard steps.allSatisfy(recording.samples.indices.contains), steps == steps.sorted() else {
        return "a step outside of the recording, or out of order"
      }
    }
    guard let windows = try? LabelledWindows(corpus, .standard, .motion) else { return nil }
    let table = FeatureTable(
      corpus, Array(windows.windows.prefix(3)), .motion, .standard, copies: 3, seed: 0, threads: 1)
    return table.values.allSatisfy(\.isFinite) ? nil : "a feature that is not finite"
  }
}

/// Small files of motion.
private enum MotionCSVSeeds {
  static let all = [
    InputCheck.Seed("motion", motion("time_s,acc_x_g,acc_y_g,acc_z_g,gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s,activity")),
    InputCheck.Seed(
      "milliseconds", motion("timestamp,x_acc,y_acc,z_acc,x_gyro,y_gyro,z_gyro,label", step: 10, gravity: 9.81)),
    InputCheck.Seed(
      "user-acceleration",
      """
      time_s,userAcceleration.x,userAcceleration.y,userAcceleration.z,gravity.x,gravity.y,gravity.z,person,trial
      0,0,0,0.1,0,0,-1,p1,1
      0.02,0,0.1,0,0,0,-1,p1,1
      0.04,,,,0,0,-1,p1,1
      0,0,0,0.1,0,0,-1,p1,2
      0.02,0,0.2,0.1,0,0,-1,p1,2
      """),
    InputCheck.Seed(
      "degrees",
      motion(
        "seconds_elapsed;acc_x;acc_y;acc_z;gyroscope x (deg/s);gyroscope y (deg/s);gyroscope z (deg/s);tag", by: ";")),
    InputCheck.Seed(
      "alternating",
      "time_s,acc_x_g,acc_y_g,acc_z_g,person\n"
        + [0, 0.02, 0.04, 0.06, 0.9, 0.92, 0.94, 0.96, 0.01, 0.03, 0.05, 0.07].map {
          "\($0),0,0.1,1,p1\n\($0),0,0.2,0.9,p2\n"
        }.joined()),
    InputCheck.Seed("dates", "time,x,y,z\n2026-11-22T10:00:00Z,0,0,1\n2026-11-22T10:00:00.02Z,0,0,1\n"),
  ]

  private static func motion(
    _ header: String, step: Double = 0.01, gravity: Double = 1, by delimiter: String = ","
  ) -> String {
    let rows = (0..<24).map { row in
      ["\(Double(row) * step)", "0", "0.\(row % 3)", "\(gravity)", "0.1", "0", "-0.\(row % 7)", row < 12 ? "a" : "b"]
        .joined(separator: delimiter)
    }
    return ([header] + rows).joined(separator: "\n") + "\n"
  }
}
