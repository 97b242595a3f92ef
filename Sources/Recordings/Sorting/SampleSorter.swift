package import TextFormats
package import WorkoutSession
package import ZoneEngine

/// Puts samples in order of time, at one instant in the order in which they came or in that of their streams, however many
/// there are; those of several persons apart from each other.
///
/// Samples are packed into a few bytes each. As many as fit into a piece of memory are sorted there; when it is full they
/// are written to a temporary file without a name, in order, and at the end such runs are merged.
/// - Complexity: O(n log n) time; the memory is that of one piece, 16 bytes a run and person, and 64 KiB a run where they
///   are read.
package struct SampleSorter {
  /// The order of samples of one instant.
  package enum Tie {
    /// That in which they came.
    case arrival
    /// That of their streams, then that in which they came.
    case stream
  }

  /// What samples are ordered by.
  fileprivate struct Key: Comparable {
    let time: Int64
    /// The place of the stream at one instant.
    let rank: UInt8

    init(time: Int64, _ stream: SampleStream, _ tie: Tie) {
      self.time = time
      rank = tie == .stream ? UInt8(stream.rawValue) : 0
    }

    static func < (left: Key, right: Key) -> Bool { (left.time, left.rank) < (right.time, right.rank) }
  }

  /// Where a sample stands among the packed bytes.
  private struct Place {
    let key: Key
    let person: UInt16
    let offset: Int32
  }

  private let largestBytes: Int
  private let tie: Tie
  private var packed: [UInt8] = []
  private var places: [Place] = []
  private var file: TemporaryFile?
  /// Where in the file the runs of each person are.
  private var runs: [[Range<Int>]] = []

  /// Creates a sorter that holds about `bytes` bytes in memory.
  ///
  /// - Precondition: `bytes` is positive and below 2 GiB.
  package init(holding bytes: Int, tie: Tie) {
    precondition((1..<Int(Int32.max)).contains(bytes), "a piece of memory is below 2 GiB")
    largestBytes = bytes
    self.tie = tie
  }

  /// Takes a sample; its source is not kept.
  ///
  /// - Throws: `FileError` when the temporary file cannot be made or written.
  package mutating func append(_ sample: Sample) throws(FileError) { try append(sample, of: 0) }

  /// Takes a sample of one of several persons, by a number from 0 on; its source is not kept.
  ///
  /// - Precondition: The number is below ``CSVPeople/largestCount``.
  /// - Throws: As for one.
  mutating func append(_ sample: Sample, of person: Int) throws(FileError) {
    let key = Key(time: sample.time.nanoseconds, sample.reading.stream, tie)
    places.append(Place(key: key, person: UInt16(person), offset: Int32(packed.count)))
    PackedSample.append(sample, to: &packed)
    if packed.count + places.count * MemoryLayout<Place>.stride >= largestBytes { try spill() }
  }

  /// Ends the samples.
  ///
  /// - Throws: `FileError` when the temporary file cannot be written.
  package mutating func finish() throws(FileError) -> SortedSamples { try finish(people: 1)[0] }

  /// Ends the samples of several persons: those of each, in the order of their numbers up to `count`.
  ///
  /// - Throws: As for one.
  mutating func finish(people count: Int) throws(FileError) -> [SortedSamples] {
    guard !runs.isEmpty else {
      sort()
      let order = places.map(\.offset)
      var ranges = [Range<Int>](repeating: 0..<0, count: count)
      forEachPerson { ranges[$0] = $1 }
      return ranges.map { SortedSamples(packed, order: order[$0]) }
    }
    try spill()
    return (0..<count).map { SortedSamples(file, runs: $0 < runs.count ? runs[$0] : [], tie) }
  }

  private mutating func sort() { places.sort { ($0.person, $0.key, $0.offset) < ($1.person, $1.key, $1.offset) } }

  /// Gives each person of the sorted places, and where theirs are.
  private func forEachPerson<Failure: Error>(_ body: (Int, Range<Int>) throws(Failure) -> Void) throws(Failure) {
    var start = 0
    for index in places.indices where index + 1 == places.count || places[index + 1].person != places[index].person {
      try body(Int(places[index].person), start..<index + 1)
      start = index + 1
    }
  }

  /// Writes what is in memory as a run.
  private mutating func spill() throws(FileError) {
    guard !places.isEmpty else { return }
    sort()
    let file: TemporaryFile
    if let known = self.file { file = known } else { file = try TemporaryFile(to: "sort readings") }
    self.file = file
    var end = file.count
    var output: [UInt8] = []
    var written: [(person: Int, range: Range<Int>)] = []
    try forEachPerson { (person, range) throws(FileError) in
      let start = end
      for place in places[range] {
        let offset = Int(place.offset)
        let size = PackedSample.size(of: packed, at: offset)
        output.append(contentsOf: packed[offset..<offset + size])
        end += size
        if output.count >= TemporaryFile.pieceBytes {
          try file.append(output.span)
          output.removeAll(keepingCapacity: true)
        }
      }
      written.append((person, start..<end))
    }
    try file.append(output.span)
    for (person, range) in written {
      while runs.count <= person { runs.append([]) }
      runs[person].append(range)
    }
    packed.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }
}

/// Samples in order of time, in memory or in a temporary file, which can be given as often as needed.
package struct SortedSamples: Sendable {
  private enum Content: Sendable {
    case memory([UInt8], order: ArraySlice<Int32>)
    case file(TemporaryFile, runs: [Range<Int>], SampleSorter.Tie)
  }

  private let content: Content
  /// The times of the samples that are given, where stray ones are left out.
  var kept: ClosedRange<SessionTime>?

  fileprivate init(_ packed: [UInt8], order: ArraySlice<Int32>) { content = .memory(packed, order: order) }

  fileprivate init(_ file: TemporaryFile?, runs: [Range<Int>], _ tie: SampleSorter.Tie) {
    content = file.map { .file($0, runs: runs, tie) } ?? .memory([], order: [])
  }

  /// Gives every sample to `body`, later by `shift`.
  ///
  /// - Throws: `FileError` when the temporary file cannot be read, or what `body` throws.
  package func forEach(shiftedBy shift: SessionTime, _ body: (Sample) throws -> Void) throws {
    guard let kept else { return try forEachOfAll(shiftedBy: shift, body) }
    let wanted = (kept.lowerBound + shift)...(kept.upperBound + shift)
    try forEachOfAll(shiftedBy: shift) { if wanted.contains($0.time) { try body($0) } }
  }

  /// From the first to the last time without those that are stray; `nil` where none is.
  ///
  /// - Throws: `FileError` when the temporary file cannot be read.
  func keptTimes() throws -> ClosedRange<SessionTime>? {
    var strays = StrayTimes()
    try forEachOfAll(shiftedBy: .zero) { strays.admit($0.time.nanoseconds) }
    return strays.kept().map {
      SessionTime(nanoseconds: $0.lowerBound)...SessionTime(nanoseconds: $0.upperBound)
    }
  }

  private func forEachOfAll(shiftedBy shift: SessionTime, _ body: (Sample) throws -> Void) throws {
    switch content {
    case .memory(let packed, let order):
      for offset in order { try body(PackedSample.sample(in: packed, at: Int(offset), shiftedBy: shift)) }
    case .file(let file, let runs, let tie):
      try Self.merge(runs.map { SampleRun(file, $0, tie) }, shiftedBy: shift, body)
    }
  }

  /// Merges runs: the earliest sample of all comes next, at one instant that of the earliest run.
  private static func merge(
    _ all: [SampleRun], shiftedBy shift: SessionTime, _ body: (Sample) throws -> Void
  ) throws {
    var runs = all
    for index in runs.indices { try runs[index].advance() }
    while true {
      var first: (key: SampleSorter.Key, run: Int)?
      var second: (key: SampleSorter.Key, run: Int)?
      for (index, run) in runs.enumerated() {
        guard let key = run.key else { continue }
        if let known = first, key >= known.key {
          if second.map({ key < $0.key }) ?? true { second = (key, index) }
        } else {
          (first, second) = ((key, index), first)
        }
      }
      guard let (_, run) = first else { return }
      // Up to the next one of another run nothing has to be compared.
      repeat {
        try body(runs[run].sample(shiftedBy: shift))
        try runs[run].advance()
      } while runs[run].key.map { key in second.map { (key, run) < $0 } ?? true } ?? false
    }
  }
}

/// One run of a temporary file, read piece by piece.
private struct SampleRun {
  /// What the next sample is ordered by; absent at the end.
  private(set) var key: SampleSorter.Key?

  private let tie: SampleSorter.Tie
  private var pieces: PackedPieces
  private var size = 0

  init(_ file: TemporaryFile, _ range: Range<Int>, _ tie: SampleSorter.Tie) {
    pieces = PackedPieces(file, range)
    self.tie = tie
  }

  /// Goes to the next sample, or to the first.
  mutating func advance() throws(FileError) {
    guard try pieces.advance(by: size, holding: PackedSample.largestSize) else {
      key = nil
      return
    }
    let (piece, offset) = (pieces.piece, pieces.offset)
    key = SampleSorter.Key(
      time: PackedSample.time(of: piece, at: offset), PackedSample.stream(piece, offset), tie)
    size = PackedSample.size(of: pieces.piece, at: pieces.offset)
  }

  package func sample(shiftedBy shift: SessionTime) -> Sample {
    PackedSample.sample(in: pieces.piece, at: pieces.offset, shiftedBy: shift)
  }
}
