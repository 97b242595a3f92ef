internal import Recordings
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

extension InputCheck {
  /// CSV: as a stream in pieces, and as a file that is read twice.
  package static let csv = rows(.lines, name: "csv", seeds: CSVSeeds.all)

  /// Rows of a form, as a stream in pieces and as the product opens them.
  static func rows(_ form: RowForm, name: String, seeds: [Seed]) -> InputCheck {
    InputCheck(
      name: name, longestInput: 4_096, seeds: seeds,
      violation: { bytes in
        let opened = OpenedRecording(bytes)
        return StreamedRows.violation(bytes, form, opened) ?? opened.violation(byteCount: bytes.count)
      },
      isUsable: { bytes in OpenedRecording(bytes).record != nil })
  }
}

/// Rows that come as a stream, as those that are packed do.
private struct StreamedRows: Equatable {
  let record: [UInt8]
  let samples: [Sample]
  let error: String?

  init(_ bytes: [UInt8], _ form: RowForm, in pieces: BytePieces?) {
    do {
      let source = StreamedBytes(bytes, in: pieces)
      let recording = try CSVRecording(path: "-", form: form, person: nil, once: source)
      var samples: [Sample] = []
      if recording.people.count <= 1 { try recording.forEachSample { samples.append($0) } }
      (self.samples, record, error) = (samples, recording.facts.record, nil)
    } catch {
      (samples, record, self.error) = ([], [], "\(error)")
    }
  }

  static func violation(_ bytes: [UInt8], _ form: RowForm, _ opened: OpenedRecording) -> String? {
    let whole = StreamedRows(bytes, form, in: nil)
    let pieces = StreamedRows(bytes, form, in: BytePieces(of: bytes))
    guard whole == pieces else { return "as a whole: \(whole.text); in pieces: \(pieces.text)" }
    guard let record = opened.record, whole.error == nil, !bytes.starts(with: "PK".utf8), bytes.first != 0x1F else {
      return nil
    }
    // Rows that are recognised as something else are no rows of this form.
    guard let facts = try? opened.result.get().facts, facts.format == whole.format else { return nil }
    // Which times are stray is known only at the end: a file is read once more without them.
    guard !facts.warnings.contains(where: { $0.kind == .implausibleTime }) else { return nil }
    if record != whole.plainRecord {
      return "as a file: \(String(decoding: record, as: UTF8.self)); as a stream: \(whole.text)"
    }
    return opened.samples == whole.samples ? nil : "as a file and as a stream the samples differ"
  }

  private var format: String? { (try? JSONValue.parse(record.span))?["format"]?.string }
  /// The record without the word that says that a position is one of what was packed.
  private var plainRecord: [UInt8] {
    Array(String(decoding: record, as: UTF8.self).replacing("unpacked byte", with: "byte").utf8)
  }
  private var text: String { error ?? "\(samples.count) samples, \(String(decoding: record, as: UTF8.self))" }
}

/// Bytes that can be read once, in pieces.
private final class StreamedBytes: ByteSource {
  private var pieces: [[UInt8]] = []
  private var next = 0

  init(_ bytes: [UInt8], in cuts: BytePieces?) {
    var start = 0
    for end in cuts?.ends ?? [bytes.count] {
      pieces.append(Array(bytes[start..<end]))
      start = end
    }
  }

  func read(into buffer: inout [UInt8]) -> Int {
    guard next < pieces.count else { return 0 }
    defer { next += 1 }
    precondition(pieces[next].count <= buffer.count, "a piece fits into what is read at once")
    buffer.replaceSubrange(..<pieces[next].count, with: pieces[next])
    return pieces[next].count
  }
}
