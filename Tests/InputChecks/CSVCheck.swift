internal import WorkoutSession
internal import ZoneEngine

extension InputCheck {
  /// CSV: as a stream in pieces, and as a file that is read twice.
  package static let csv = InputCheck(
    name: "csv", longestInput: 4_096, seeds: CSVSeeds.all,
    violation: { bytes in
      let opened = OpenedRecording(bytes)
      return StreamedCSV.violation(bytes, opened) ?? opened.violation(byteCount: bytes.count)
    },
    isUsable: { bytes in OpenedRecording(bytes).record != nil })
}

/// A CSV that comes as a stream, as one that is packed does.
private struct StreamedCSV: Equatable {
  let record: [UInt8]
  let samples: [Sample]
  let error: String?

  init(_ bytes: [UInt8], in pieces: BytePieces?) {
    var decoder = CSVTextDecoder(path: "-")
    do {
      if let pieces {
        try pieces.forEach(of: bytes) { (piece) throws(DecodingProblem) in try decoder.feed(piece) { _ in } }
      } else {
        try decoder.feed(bytes.span) { _ in }
      }
      try decoder.finish { _ in }
      let recording = try decoder.recording()
      var samples: [Sample] = []
      if recording.people.count <= 1 { try recording.forEachSample { samples.append($0) } }
      (self.samples, record, error) = (samples, recording.facts.record, nil)
    } catch {
      (samples, record, self.error) = ([], [], "\(error)")
    }
  }

  static func violation(_ bytes: [UInt8], _ opened: OpenedRecording) -> String? {
    let whole = StreamedCSV(bytes, in: nil)
    let pieces = StreamedCSV(bytes, in: BytePieces(of: bytes))
    guard whole == pieces else { return "as a whole: \(whole.text); in pieces: \(pieces.text)" }
    guard let record = opened.record, (try? opened.result.get())?.facts.format == "csv" else { return nil }
    if record != whole.record {
      return "as a file: \(String(decoding: record, as: UTF8.self)); as a stream: \(whole.text)"
    }
    return opened.samples == whole.samples ? nil : "as a file and as a stream the order of samples differs"
  }

  private var text: String { error ?? "\(samples.count) samples, \(String(decoding: record, as: UTF8.self))" }
}
