internal import TextFormats

extension RecordingDecoder {
  /// Gives all bytes of a source to the decoder; the decoder at its end, and why it could not go on, where it could not.
  ///
  /// - Throws: `FileError` when the bytes cannot be read, `RecordingError` when they are more than a budget allows.
  func decoded(
    _ file: any ByteSource, _ path: String, _ sink: (DecodedItem) -> Void
  ) throws -> (decoder: Self, problem: DecodingProblem?) {
    var decoder = self
    do {
      try decoder.feed(file, sink)
    } catch let problem as DecodingProblem {
      guard !problem.isBeyondBudget else {
        throw RecordingError(path: path, position: problem.position, problem: problem.problem)
      }
      return (decoder, problem)
    }
    for odd in file.warnings { sink(.warning(odd.kind, position: odd.position, detail: odd.detail)) }
    return (decoder, nil)
  }

  /// - Throws: `FileError`, or `DecodingProblem` of the bytes or of what is around them.
  private mutating func feed(_ file: any ByteSource, _ sink: (DecodedItem) -> Void) throws {
    var chunk = [UInt8](repeating: 0, count: POSIXFile.pieceBytes)
    let isUnpacked = file.isUnpacked
    let emit: (DecodedItem) -> Void = { if isUnpacked { sink($0.unpacked) } else { sink($0) } }
    while true {
      let read: Int
      do {
        read = try file.read(into: &chunk)
      } catch let damage as DecodingProblem {
        // A decoder may keep back the last of what it was given.
        try? finish(emit)
        throw damage
      }
      do throws(DecodingProblem) {
        guard read > 0 else { return try finish(emit) }
        try feed(chunk.span.extracting(first: read), emit)
      } catch {
        throw isUnpacked ? error.unpacked : error
      }
    }
  }
}
