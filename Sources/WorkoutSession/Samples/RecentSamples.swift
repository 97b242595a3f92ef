internal import ZoneEngine

/// The last samples of a stream, so that one that is sent again is recognised.
///
/// They stand as numbers in a ring that grows with what comes: a stream without samples takes nothing, and one with heart rates
/// 17 bytes a sample.
struct RecentSamples: Sendable {
  /// How many samples are remembered.
  static let capacity = 64
  /// How many the ring holds at first.
  private static let smallestCapacity = 4

  /// The time of the newest sample; zero before the first.
  private(set) var newest = SessionTime.zero

  /// The time of each sample and `width` numbers, which begin with its own.
  private var words: [UInt64] = []
  /// Of each sample the parts that it has, or of a heart rate the place of its source in `sources`.
  private var tags: [UInt8] = []
  /// The names of those who sent the heart rates that are remembered, and perhaps of others.
  private var sources: [String?] = []
  private var width: UInt8 = 0
  /// Where the oldest stands in a ring that is full.
  private var oldest: UInt8 = 0

  /// Whether an equal sample is remembered.
  ///
  /// Heart rates of two sources are two; of the other streams no log says who sent them, so that an equal sample of another
  /// device is the same in a replay.
  /// - Complexity: O(1) for a sample that is newer than all of them.
  func contains(_ sample: Sample, whoeverSentIt: Bool = false) -> Bool {
    guard sample.time <= newest else { return false }
    let numbers = ReadingNumbers(sample.reading)
    guard !numbers.hasNaN else { return false }
    let isOfSource = sample.reading.stream == .heartRate
    var source: Int?
    if isOfSource, !whoeverSentIt {
      source = sources.firstIndex(of: sample.source)
      guard source != nil else { return false }
    }
    for age in 0..<tags.count {
      let place = place(ofAge: age)
      let time = time(at: place)
      // They were taken in the order of their times.
      guard time >= sample.time else { return false }
      if time == sample.time, hasNumbers(numbers, at: place),
        isOfSource ? source.map({ Int(tags[place]) == $0 }) ?? true : tags[place] == numbers.presence
      {
        return true
      }
    }
    return false
  }

  /// Whether the newest sample has an equal reading, whoever sent it.
  func isNewest(_ reading: Reading) -> Bool {
    let numbers = ReadingNumbers(reading)
    guard !tags.isEmpty, !numbers.hasNaN else { return false }
    let place = place(ofAge: 0)
    return hasNumbers(numbers, at: place) && (reading.stream == .heartRate || tags[place] == numbers.presence)
  }

  /// Remembers a sample, for which the oldest is forgotten when there are too many.
  ///
  /// - Precondition: it is not older than the newest, and of the same stream.
  mutating func append(_ sample: Sample) {
    newest = sample.time
    if let number = ReadingNumbers.single(sample.reading) {
      if width == 0 { width = 1 }
      let place = next(sample.reading.stream == .heartRate ? tag(of: sample.source) : 0)
      // A span of all of them, so that whether they are shared is looked at once.
      var words = words.mutableSpan
      words[place] = UInt64(bitPattern: sample.time.nanoseconds)
      words[place + 1] = number
      return
    }
    let numbers = ReadingNumbers(sample.reading)
    if numbers.count > width { widen(to: numbers.count) }
    let place = next(numbers.presence)
    var words = words.mutableSpan
    words[place] = UInt64(bitPattern: sample.time.nanoseconds)
    for index in 0..<numbers.count { words[place + 1 + index] = numbers[index] }
  }

  /// Makes a place for a sample, and returns where its time and its numbers go in `words`.
  @inline(__always)
  private mutating func next(_ tag: UInt8) -> Int {
    guard tags.count == Self.capacity else { return grown(by: tag) }
    let place = Int(oldest)
    tags[place] = tag
    oldest = UInt8(truncatingIfNeeded: (place + 1) % Self.capacity)
    return place * (Int(width) + 1)
  }

  /// The same while the ring is not full.
  private mutating func grown(by tag: UInt8) -> Int {
    grow()
    tags.append(tag)
    let place = words.count
    for _ in 0...width { words.append(0) }
    return place
  }

  /// Where a sample stands, by how many are newer.
  private func place(ofAge age: Int) -> Int { (Int(oldest) + tags.count - 1 - age) % tags.count }

  private func time(at place: Int) -> SessionTime {
    SessionTime(nanoseconds: Int64(bitPattern: words[place * (Int(width) + 1)]))
  }

  /// Whether a sample has the same numbers; its parts are not compared.
  private func hasNumbers(_ numbers: ReadingNumbers, at place: Int) -> Bool {
    guard numbers.count <= width else { return false }
    let begin = place * (Int(width) + 1) + 1
    for index in 0..<numbers.count where words[begin + index] != numbers[index] { return false }
    return true
  }

  /// Makes room for as many again, so that little more memory is taken than the samples need.
  private mutating func grow() {
    guard tags.isEmpty || tags.count >= Self.smallestCapacity && tags.count.nonzeroBitCount == 1 else { return }
    let capacity = max(Self.smallestCapacity, 2 * tags.count)
    tags.reserveCapacity(capacity)
    words.reserveCapacity(capacity * (Int(width) + 1))
  }

  /// Makes room for more numbers in each sample.
  private mutating func widen(to count: Int) {
    let old = Int(width) + 1
    var wider: [UInt64] = []
    wider.reserveCapacity(max(Self.smallestCapacity, tags.count) * (count + 1))
    for place in 0..<tags.count {
      wider += words[place * old..<(place + 1) * old]
      for _ in old...count { wider.append(0) }
    }
    words = wider
    width = UInt8(count)
  }

  /// The place of a source in the list of them, into which it is taken.
  private mutating func tag(of source: String?) -> UInt8 {
    if let known = sources.firstIndex(of: source) { return UInt8(known) }
    if sources.count > Int(UInt8.max) { forgetSources() }
    sources.append(source)
    return UInt8(sources.count - 1)
  }

  /// Forgets the sources of which no sample is remembered.
  private mutating func forgetSources() {
    var kept: [String?] = []
    for place in tags.indices {
      let source = sources[Int(tags[place])]
      if !kept.contains(source) { kept.append(source) }
      tags[place] = UInt8(kept.firstIndex(of: source) ?? 0)
    }
    sources = kept
  }
}
