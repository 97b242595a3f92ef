internal import ZoneEngine

/// Puts samples in order of time, at one instant in the order in which they came, however many there are.
///
/// Samples are packed into a few bytes each. As many as fit into a piece of memory are sorted there; when it is full they
/// are written to a temporary file without a name, in order, and at the end such runs are merged.
/// - Complexity: O(n log n) time; the memory is that of one piece and 64 KiB a run.
struct SampleSorter {
  /// Where a sample stands among the packed bytes.
  private struct Place {
    let time: Int64
    let offset: Int32
  }

  private let largestBytes: Int
  private var packed: [UInt8] = []
  private var places: [Place] = []
  private var file: TemporaryFile?
  private var runs: [Range<Int>] = []

  /// Creates a sorter that holds about `bytes` bytes in memory.
  ///
  /// - Precondition: `bytes` is positive and below 2 GiB.
  init(holding bytes: Int) {
    precondition((1..<Int(Int32.max)).contains(bytes), "a piece of memory is below 2 GiB")
    largestBytes = bytes
  }

  /// Takes a sample; its source is not kept.
  ///
  /// - Throws: `FileError` when the temporary file cannot be made or written.
  mutating func append(_ sample: Sample) throws(FileError) {
    places.append(Place(time: sample.time.nanoseconds, offset: Int32(packed.count)))
    PackedSample.append(sample, to: &packed)
    if packed.count + places.count * MemoryLayout<Place>.stride >= largestBytes { try spill() }
  }

  /// Ends the samples.
  ///
  /// - Throws: `FileError` when the temporary file cannot be written.
  mutating func finish() throws(FileError) -> SortedSamples {
    guard !runs.isEmpty else {
      sort()
      return SortedSamples(packed, order: places.map(\.offset))
    }
    try spill()
    return SortedSamples(file, runs: runs)
  }

  private mutating func sort() { places.sort { ($0.time, $0.offset) < ($1.time, $1.offset) } }

  /// Writes what is in memory as a run.
  private mutating func spill() throws(FileError) {
    guard !places.isEmpty else { return }
    sort()
    let file: TemporaryFile
    if let known = self.file { file = known } else { file = try TemporaryFile() }
    self.file = file
    let start = file.count
    var output: [UInt8] = []
    for place in places {
      let offset = Int(place.offset)
      output.append(contentsOf: packed[offset..<offset + PackedSample.size(of: packed, at: offset)])
      if output.count >= TemporaryFile.pieceBytes {
        try file.append(output)
        output.removeAll(keepingCapacity: true)
      }
    }
    try file.append(output)
    runs.append(start..<file.count)
    packed.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }
}

/// Samples in order of time, in memory or in a temporary file, which can be given as often as needed.
struct SortedSamples: Sendable {
  private enum Content: Sendable {
    case memory([UInt8], order: [Int32])
    case file(TemporaryFile, runs: [Range<Int>])
  }

  private let content: Content

  fileprivate init(_ packed: [UInt8], order: [Int32]) { content = .memory(packed, order: order) }

  fileprivate init(_ file: TemporaryFile?, runs: [Range<Int>]) {
    content = file.map { .file($0, runs: runs) } ?? .memory([], order: [])
  }

  /// Gives every sample to `body`, later by `shift`.
  ///
  /// - Throws: `FileError` when the temporary file cannot be read, or what `body` throws.
  func forEach(shiftedBy shift: SessionTime, _ body: (Sample) throws -> Void) throws {
    switch content {
    case .memory(let packed, let order):
      for offset in order { try body(PackedSample.sample(in: packed, at: Int(offset), shiftedBy: shift)) }
    case .file(let file, let runs): try Self.merge(runs.map { SampleRun(file, $0) }, shiftedBy: shift, body)
    }
  }

  /// Merges runs: the earliest sample of all comes next, at one instant that of the earliest run.
  private static func merge(
    _ all: [SampleRun], shiftedBy shift: SessionTime, _ body: (Sample) throws -> Void
  ) throws {
    var runs = all
    for index in runs.indices { try runs[index].advance() }
    while true {
      var first: (time: Int64, run: Int)?
      var second: (time: Int64, run: Int)?
      for (index, run) in runs.enumerated() {
        guard let time = run.time else { continue }
        if let known = first, time >= known.time {
          if second.map({ time < $0.time }) ?? true { second = (time, index) }
        } else {
          (first, second) = ((time, index), first)
        }
      }
      guard let (_, run) = first else { return }
      // Up to the next one of another run nothing has to be compared.
      let limit = second ?? (time: .max, run: .max)
      repeat {
        try body(runs[run].sample(shiftedBy: shift))
        try runs[run].advance()
      } while runs[run].time.map { ($0, run) < limit } ?? false
    }
  }
}

/// One run of a temporary file, read piece by piece.
private struct SampleRun {
  /// The time of the next sample; absent at the end.
  private(set) var time: Int64?

  private let file: TemporaryFile
  private var rest: Range<Int>
  private var piece: [UInt8] = []
  private var offset = 0
  private var next = 0

  init(_ file: TemporaryFile, _ range: Range<Int>) {
    self.file = file
    rest = range
  }

  /// Goes to the next sample, or to the first.
  mutating func advance() throws(FileError) {
    offset = next
    if piece.count - offset < PackedSample.largestSize, !rest.isEmpty {
      let count = min(TemporaryFile.pieceBytes, rest.count)
      piece = Array(piece[offset...]) + (try file.read(at: rest.lowerBound, count: count))
      rest = rest.lowerBound + count..<rest.upperBound
      offset = 0
    }
    guard offset < piece.count else {
      time = nil
      return
    }
    time = PackedSample.time(of: piece, at: offset)
    next = offset + PackedSample.size(of: piece, at: offset)
  }

  func sample(shiftedBy shift: SessionTime) -> Sample { PackedSample.sample(in: piece, at: offset, shiftedBy: shift) }
}
