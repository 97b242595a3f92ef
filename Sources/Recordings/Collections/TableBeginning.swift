internal import TextFormats

/// The beginning of a table in an archive, which is read to see whether it is a recording: its columns are known and a row has a
/// time and a reading.
struct TableBeginning {
  /// How many bytes of a table are looked at.
  static let longest = 64 << 10

  private let bytes: [UInt8]
  private let isCut: Bool

  /// The first bytes of a file, ``longest`` of them where it is longer, packed or not.
  init(_ bytes: [UInt8]) {
    self.bytes = RecordingFormat.unpackedBeginning(bytes)
    isCut = bytes.count >= Self.longest || RecordingFormat.isPacked(bytes.span)
  }

  /// Whether it can be read as a recording.
  /// - Complexity: O(1), for it is bounded.
  var isRecording: Bool {
    let form: RowForm
    switch RecordingFormat(beginning: bytes.span) {
    case .csv: form = .lines
    case .sensoGatherJSON: form = .objects
    case .fit, .gpx, .tcx, .appleHealth, .healthAutoExport, .polarHRM, .intervalList: return false
    }
    // An array of objects is foreign only as the beginning of a table.
    guard !RecordingFormat.isClinicalDocument(bytes.span),
      form == .objects || ForeignFormat.error("", beginning: bytes.span) == nil
    else { return false }
    do {
      _ = try CSVRecording(path: "", form: form, person: nil, once: Source(bytes, isCut: isCut))
      return true
    } catch {
      return false
    }
  }

  /// Gives the bytes, and says that more of them follow where the beginning is not all.
  private final class Source: ByteSource {
    private var rest: ArraySlice<UInt8>
    private let isCut: Bool

    init(_ bytes: [UInt8], isCut: Bool) { (rest, self.isCut) = (bytes[...], isCut) }

    var isUnpacked: Bool { true }

    func read(into buffer: inout [UInt8]) throws -> Int {
      guard !rest.isEmpty else {
        guard isCut else { return 0 }
        throw DecodingProblem(position: "the end of its beginning", problem: "expected the rest")
      }
      let count = min(buffer.count, rest.count)
      buffer.replaceSubrange(..<count, with: rest.prefix(count))
      rest = rest.dropFirst(count)
      return count
    }
  }
}
