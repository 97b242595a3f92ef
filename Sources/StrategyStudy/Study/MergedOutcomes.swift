package import TextFormats

/// The outcomes of all runners of a study, in a temporary file, so that a study of any size needs little memory.
///
/// The file has the parts in the order in which they came, and of each part the kinds of sessions one after another, those of
/// a kind in the order of the runners.
package struct MergedOutcomes: Sendable, StudyOutcomeSource {
  /// The outcomes of a part in the file.
  struct Block: Sendable {
    /// Where they begin, in bytes.
    let offset: Int
    /// The runners of the part.
    let runners: Range<Int>
  }

  package let study: Study
  /// The parts in the order of their runners.
  private let blocks: [Block]
  private let file: TemporaryFile

  /// The outcomes in a file.
  ///
  /// - Precondition: the blocks have each runner once, in their order.
  init(_ study: Study, _ blocks: [Block], in file: TemporaryFile) {
    precondition(blocks.reduce(0) { $0 + $1.runners.count } == study.runners, "a block has its runners")
    self.study = study
    self.blocks = blocks
    self.file = file
  }

  /// Writes the outcomes of a part at the end of a file.
  ///
  /// - Throws: `FileError` when there is no room for them.
  static func append(_ outcomes: StudyOutcomes, to file: TemporaryFile) throws(FileError) -> Block {
    let block = Block(offset: file.count, runners: outcomes.runners)
    var bytes: [UInt8] = []
    for place in 0..<StudyLayout(outcomes.study).sessionsPerRunner {
      for outcome in outcomes.all(place) {
        outcome.append(to: &bytes)
        guard bytes.count >= TemporaryFile.pieceBytes else { continue }
        try file.append(bytes.span)
        bytes.removeAll(keepingCapacity: true)
      }
    }
    try file.append(bytes.span)
    return block
  }

  package var runners: Range<Int> { 0..<study.runners }

  package func all(_ place: Int) throws(FileError) -> [RunOutcome] {
    var outcomes: [RunOutcome] = []
    outcomes.reserveCapacity(study.runners)
    for block in blocks { try read(block.runners, place, of: block) { outcomes.append($0) } }
    return outcomes
  }

  package func sessions(of runners: Range<Int>) throws(FileError) -> ArraySlice<RunOutcome> {
    let perRunner = StudyLayout(study).sessionsPerRunner
    var outcomes = [RunOutcome](repeating: RunOutcome(), count: runners.count * perRunner)
    for block in blocks where block.runners.overlaps(runners) {
      let wanted = block.runners.clamped(to: runners)
      for place in 0..<perRunner {
        var next = (wanted.lowerBound - runners.lowerBound) * perRunner + place
        try read(wanted, place, of: block) { outcome in
          outcomes[next] = outcome
          next += perRunner
        }
      }
    }
    return outcomes[...]
  }

  /// Gives one kind of session of some runners of a block to `body`.
  private func read(
    _ runners: Range<Int>, _ place: Int, of block: Block, _ body: (RunOutcome) -> Void
  ) throws(FileError) {
    let first = place * block.runners.count + runners.lowerBound - block.runners.lowerBound
    let perPiece = TemporaryFile.pieceBytes / RunOutcome.byteCount
    var done = 0
    while done < runners.count {
      let count = min(perPiece, runners.count - done)
      let offset = block.offset + (first + done) * RunOutcome.byteCount
      let bytes = try file.read(at: offset, count: count * RunOutcome.byteCount)
      for index in 0..<count { body(RunOutcome(bytes.span, at: index * RunOutcome.byteCount)) }
      done += count
    }
  }
}

extension RunOutcome {
  /// How many bytes an outcome has in a file.
  fileprivate static let byteCount = 13 * 4

  /// Appends the numbers; nothing is −1.
  fileprivate func append(to bytes: inout [UInt8]) {
    for number in [
      secondsInTarget, secondsInTargetAfterStart, secondsToTarget ?? -1, cues, directionalCues, followedCues,
      directionChanges, checks, checksInTarget, midways, midwaysInTarget,
    ] {
      bytes.appendLittleEndian(UInt32(bitPattern: number))
    }
    bytes.appendLittleEndian(rootMeanSquareErrorBits)
    bytes.appendLittleEndian(overshootBPM.bitPattern)
  }

  /// Reads them again.
  fileprivate init(_ bytes: Span<UInt8>, at offset: Int) {
    func number(_ place: Int) -> UInt32 { bytes.littleEndian(UInt32.self, at: offset + 4 * place) }
    func count(_ place: Int) -> Int32 { Int32(bitPattern: number(place)) }
    self.init()
    secondsInTarget = count(0)
    secondsInTargetAfterStart = count(1)
    secondsToTarget = count(2) < 0 ? nil : count(2)
    cues = count(3)
    directionalCues = count(4)
    followedCues = count(5)
    directionChanges = count(6)
    checks = count(7)
    checksInTarget = count(8)
    midways = count(9)
    midwaysInTarget = count(10)
    rootMeanSquareErrorBits = number(11)
    overshootBPM = Float(bitPattern: number(12))
  }
}
