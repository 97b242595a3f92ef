internal import TextFormats

/// What is packed by gzip in the bytes of another source, unpacked as it is read.
final class GzipSource: ByteSource {
  /// Gathers unpacked bytes.
  private struct Gatherer: RecordingDecoder {
    var bytes: [UInt8] = []

    mutating func feed(_ bytes: Span<UInt8>, _ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
      unsafe bytes.withUnsafeBufferPointer { unsafe self.bytes.append(contentsOf: $0) }
    }

    mutating func finish(_ sink: (DecodedItem) -> Void) throws(DecodingProblem) {}
  }

  /// How many packed bytes are unpacked at once: what comes out of them, a thousand times as much at most, is held.
  private static let packedBytes = 512

  private let packed: any ByteSource
  private let stream: GzipStream<Gatherer>
  private var piece = [UInt8](repeating: 0, count: POSIXFile.pieceBytes)
  private var pieceCount = 0
  private var pieceStart = 0
  private var unpacked: [UInt8] = []
  private var start = 0
  private var isAtEnd = false
  private var problem: DecodingProblem?
  private var oddities: [RecordingWarning] = []

  /// Begins to unpack a source at its beginning.
  init(_ packed: any ByteSource, limits: GzipLimits) {
    self.packed = packed
    stream = GzipStream(Gatherer(), limits: limits)
  }

  var isUnpacked: Bool { true }

  var warnings: [RecordingWarning] { packed.warnings + oddities }

  func read(into buffer: inout [UInt8]) throws -> Int {
    while start == unpacked.count {
      if let problem { throw problem }
      if isAtEnd { return 0 }
      try unpackMore()
    }
    let count = min(buffer.count, unpacked.count - start)
    unsafe unpacked.withUnsafeBytes { from in
      unsafe buffer.withUnsafeMutableBytes { to in
        unsafe to.copyMemory(from: UnsafeRawBufferPointer(rebasing: from[start..<start + count]))
      }
    }
    start += count
    return count
  }

  private func unpackMore() throws {
    if pieceStart == pieceCount {
      pieceStart = 0
      do {
        pieceCount = try packed.read(into: &piece)
      } catch let damage as DecodingProblem {
        pieceCount = 0
        problem = damage
      }
    }
    do throws(DecodingProblem) {
      if pieceCount == 0 {
        isAtEnd = true
        if problem == nil { try stream.finish(note) }
      } else {
        let end = min(pieceStart + Self.packedBytes, pieceCount)
        let next = piece.span.extracting(pieceStart..<end)
        pieceStart = end
        try stream.feed(next, note)
      }
    } catch {
      problem = error
    }
    unpacked = stream.takeDecoded { decoder in
      defer { decoder.bytes = [] }
      return decoder.bytes
    }
    start = 0
  }

  private func note(_ item: DecodedItem) {
    guard case .warning(let kind, let position, let detail) = item else { return }
    oddities.append(RecordingWarning(kind: kind, position: position, count: 1, detail: detail))
  }
}
