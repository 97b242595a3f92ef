private import CZlib
internal import TextFormats

/// Reads what is packed in one entry of a zip archive, in order, and holds it against its checksum at the end.
///
/// It owns an open file and an unpacker, so it is a class. The memory is 64 KiB and that of zlib.
@safe
final class ZipEntryReader: ByteSource {
  private static let pieceBytes = 64 << 10
  private static let headerBytes = 30

  private let entry: ZipEntry
  private let file: POSIXFile
  private let limits: GzipLimits
  private let inflater: Inflater?
  private let dataOffset: Int
  private var piece: [UInt8] = []
  private var pieceStart = 0
  private var readBytes = 0
  /// How many bytes came out of the entry so far.
  private(set) var writtenBytes = 0
  private var checksum: UInt = 0
  private var isAtEnd = false
  /// Whether the unpacker may hold back bytes because there was no room for them.
  private var isHeldBack = false
  /// The problem that is thrown once everything before it was delivered.
  private var problem: DecodingProblem?
  private(set) var warnings: [RecordingWarning] = []

  /// Begins to read an entry.
  ///
  /// - Throws: `FileError` when the file cannot be read, `DecodingProblem` when the entry is not where the archive says
  ///   it is, or is packed in a way that cannot be unpacked.
  init(_ entry: ZipEntry, of file: POSIXFile, limits: GzipLimits) throws {
    self.entry = entry
    self.file = file
    self.limits = limits
    let position = "byte \(entry.headerOffset)"
    let header = try file.read(at: entry.headerOffset, count: Self.headerBytes)
    guard header.count == Self.headerBytes, header.littleEndian(at: 0, bytes: 4) == 0x0403_4B50 else {
      throw DecodingProblem(position: position, problem: "\(entry.messageName): expected the header of the entry")
    }
    guard !entry.isEncrypted else {
      throw DecodingProblem(
        position: position, problem: "\(entry.messageName): needs a password: expected an entry without one")
    }
    guard entry.method == 0 || entry.method == 8 else {
      throw DecodingProblem(
        position: position,
        problem: "\(entry.messageName): packed by method \(entry.method): expected it stored or deflated")
    }
    inflater = entry.method == 8 ? Inflater(.deflate) : nil
    dataOffset =
      entry.headerOffset + Self.headerBytes + header.littleEndian(at: 26, bytes: 2)
      + header.littleEndian(at: 28, bytes: 2)
  }

  var isUnpacked: Bool { true }

  /// How many bytes of the archive were taken.
  var takenBytes: Int { readBytes - (piece.count - pieceStart) }

  func read(into buffer: inout [UInt8]) throws -> Int {
    if let problem { throw problem }
    guard !isAtEnd else { return 0 }
    let count = try inflater.map { try unpack($0, &buffer) } ?? copy(&buffer)
    if count > 0 {
      checksum = unsafe buffer.withUnsafeBufferPointer { unsafe crc32(checksum, $0.baseAddress, UInt32(count)) }
      writtenBytes += count
      let allowed = limits.maximumBytes(packed: readBytes)
      guard writtenBytes <= allowed else {
        throw failure("expected at most \(allowed) unpacked bytes up to here", isBeyondBudget: true)
      }
    }
    if isAtEnd { check() }
    return count
  }

  /// Copies stored bytes.
  private func copy(_ buffer: inout [UInt8]) throws -> Int {
    let wanted = min(buffer.count, entry.packedBytes - readBytes)
    guard wanted > 0 else {
      isAtEnd = true
      return 0
    }
    let bytes = try file.read(at: dataOffset + readBytes, count: wanted)
    readBytes += bytes.count
    guard !bytes.isEmpty else { throw failure("expected the rest of the entry, found the end of the archive") }
    buffer.replaceSubrange(..<bytes.count, with: bytes)
    return bytes.count
  }

  private func unpack(_ inflater: Inflater, _ buffer: inout [UInt8]) throws -> Int {
    while true {
      if pieceStart == piece.count, !isHeldBack {
        let wanted = min(Self.pieceBytes, entry.packedBytes - readBytes)
        piece = wanted > 0 ? try file.read(at: dataOffset + readBytes, count: wanted) : []
        pieceStart = 0
        readBytes += piece.count
        guard !piece.isEmpty else { throw failure("expected the rest of the deflated data, found its end") }
      }
      let packed = piece
      let step = inflater.inflate(packed.span.extracting(droppingFirst: pieceStart), into: &buffer)
      pieceStart += step.read
      isHeldBack = step.written == buffer.count
      switch step.outcome {
      case .ended:
        isAtEnd = true
        return step.written
      case .more where step.written > 0: return step.written
      case .more: continue
      case .damaged(let what):
        let problem = failure("expected deflated data, found: \(what)")
        guard step.written > 0 else { throw problem }
        self.problem = problem
        return step.written
      }
    }
  }

  private func failure(_ problem: String, isBeyondBudget: Bool = false) -> DecodingProblem {
    DecodingProblem(
      position: "byte \(dataOffset + takenBytes)", problem: "\(entry.messageName): \(problem)",
      isBeyondBudget: isBeyondBudget)
  }

  /// Holds what came out against what the archive says; some programs write only the low half of a large size.
  private func check() {
    let hasChecksum = entry.checksum.map { UInt($0) == checksum } ?? true
    let hasSize = entry.unpackedBytes.map { $0 & 0xFFFF_FFFF == writtenBytes & 0xFFFF_FFFF } ?? true
    guard !hasChecksum || !hasSize else { return }
    warnings.append(
      RecordingWarning(
        kind: .wrongChecksum, position: "byte \(entry.headerOffset)", count: 1, detail: entry.messageName))
  }
}
