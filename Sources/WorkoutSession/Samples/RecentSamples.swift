internal import ZoneEngine

/// The last samples of a stream, so that one that is sent again is recognised.
///
/// They stand as times and ``ReadingMark``s in a ring that grows with what comes: a stream without samples takes nothing. Times of
/// whole milliseconds take four bytes, and so do numbers of few digits: a heart rate each second takes nine with its source, a position
/// twelve. When one comes that does not fit, all of the ring get eight bytes for that.
struct RecentSamples: Sendable {
  /// How many samples are remembered.
  static let capacity = 64
  /// How many the ring holds at first.
  private static let smallestCapacity = 4
  private static let millisecond: Int64 = 1_000_000

  /// The time of the newest sample; zero before the first.
  private(set) var newest = SessionTime.zero

  /// The time of each sample and its mark, each in one word or in two.
  private var words: [UInt32] = []
  /// Of each heart rate the place of its source in `sources`.
  private var tags: [UInt8] = []
  /// The names of those who sent the heart rates that are remembered, and perhaps of others.
  private var sources: [String?] = []
  private var count: UInt8 = 0
  /// Where the oldest stands in a ring that is full.
  private var oldest: UInt8 = 0
  private var hasLongTimes = false
  private var hasLongMarks = false

  /// How many bytes of memory the samples take.
  var byteCount: Int { words.capacity * 4 + tags.capacity }

  /// Whether an equal sample is remembered.
  ///
  /// Heart rates of two sources are two; of the other streams no log says who sent them, so that an equal sample of another
  /// device is the same in a replay.
  /// - Complexity: O(1) for a sample that is newer than all of them.
  func contains(_ sample: Sample, whoeverSentIt: Bool = false) -> Bool {
    guard sample.time <= newest, let mark = ReadingMark.mark(of: sample.reading) else { return false }
    let isOfSource = sample.reading.stream == .heartRate
    var source: Int?
    if isOfSource, !whoeverSentIt {
      source = sources.firstIndex(of: sample.source)
      guard source != nil else { return false }
    }
    for age in 0..<Int(count) {
      let place = place(ofAge: age)
      let time = time(at: place)
      // They were taken in the order of their times.
      guard time >= sample.time else { return false }
      if time == sample.time, self.mark(at: place) == mark, source.map({ Int(tags[place]) == $0 }) ?? true {
        return true
      }
    }
    return false
  }

  /// Whether the newest sample has an equal reading, whoever sent it.
  func isNewest(_ reading: Reading) -> Bool {
    guard count > 0, let mark = ReadingMark.mark(of: reading) else { return false }
    return self.mark(at: place(ofAge: 0)) == mark
  }

  /// Remembers a sample, for which the oldest is forgotten when there are too many.
  ///
  /// - Precondition: it is not older than the newest, and of the same stream.
  mutating func append(_ sample: Sample) {
    newest = sample.time
    // What is not a number equals nothing; the mark of no reading stands for it.
    let mark = ReadingMark.mark(of: sample.reading) ?? .nothing
    let (milliseconds, rest) = sample.time.nanoseconds.quotientAndRemainder(dividingBy: Self.millisecond)
    let isShort = rest == 0 && milliseconds >= 0 && milliseconds <= Int64(UInt32.max)
    if !isShort && !hasLongTimes || mark.short == nil && !hasLongMarks {
      widen(hasLongTimes: hasLongTimes || !isShort, hasLongMarks: hasLongMarks || mark.short == nil)
    }
    let place = next()
    if case .heartRate = sample.reading { setTag(of: sample.source, at: place) }
    let begin = place * wordsPerSample
    let (hasLongTimes, hasLongMarks) = (hasLongTimes, hasLongMarks)
    let markBegin = begin + (hasLongTimes ? 2 : 1)
    let time = hasLongTimes ? UInt64(bitPattern: sample.time.nanoseconds) : UInt64(milliseconds)
    // A span of all of them, so that whether they are shared is looked at once.
    var words = words.mutableSpan
    words[begin] = UInt32(truncatingIfNeeded: time)
    if hasLongTimes { words[begin + 1] = UInt32(truncatingIfNeeded: time >> 32) }
    words[markBegin] = UInt32(truncatingIfNeeded: mark.bits >> 32)
    if hasLongMarks { words[markBegin + 1] = UInt32(truncatingIfNeeded: mark.bits) }
  }

  private var wordsPerSample: Int { (hasLongTimes ? 2 : 1) + (hasLongMarks ? 2 : 1) }

  /// The place for a sample.
  @inline(__always)
  private mutating func next() -> Int {
    guard Int(count) == Self.capacity else { return addPlace() }
    let place = Int(oldest)
    oldest = UInt8((place + 1) % Self.capacity)
    return place
  }

  /// Makes a place in a ring that is not full.
  private mutating func addPlace() -> Int {
    grow()
    for _ in 0..<wordsPerSample { words.append(0) }
    count += 1
    return Int(count) - 1
  }

  /// Where a sample stands, by how many are newer.
  private func place(ofAge age: Int) -> Int { (Int(oldest) + Int(count) - 1 - age) % Int(count) }

  private func time(at place: Int) -> SessionTime {
    let begin = place * wordsPerSample
    guard hasLongTimes else { return SessionTime(nanoseconds: Int64(words[begin]) * Self.millisecond) }
    return SessionTime(nanoseconds: Int64(bitPattern: UInt64(words[begin + 1]) << 32 | UInt64(words[begin])))
  }

  private func mark(at place: Int) -> ReadingMark {
    let begin = place * wordsPerSample + (hasLongTimes ? 2 : 1)
    return ReadingMark(bits: UInt64(words[begin]) << 32 | (hasLongMarks ? UInt64(words[begin + 1]) : 0))
  }

  /// Makes room for as many again, so that little more memory is taken than the samples need.
  private mutating func grow() {
    let count = Int(count)
    guard count == 0 || count >= Self.smallestCapacity && count.nonzeroBitCount == 1 else { return }
    words.reserveCapacity(max(Self.smallestCapacity, 2 * count) * wordsPerSample)
  }

  /// Makes room for more in each sample.
  private mutating func widen(hasLongTimes: Bool, hasLongMarks: Bool) {
    let old = self
    self.hasLongTimes = hasLongTimes
    self.hasLongMarks = hasLongMarks
    guard count > 0 else { return }
    words = []
    words.reserveCapacity(max(Self.smallestCapacity, Int(count)) * wordsPerSample)
    for place in 0..<Int(count) {
      let (time, mark) = (old.time(at: place).nanoseconds, old.mark(at: place).bits)
      words.append(UInt32(truncatingIfNeeded: hasLongTimes ? time : time / Self.millisecond))
      if hasLongTimes { words.append(UInt32(truncatingIfNeeded: time >> 32)) }
      words.append(UInt32(truncatingIfNeeded: mark >> 32))
      if hasLongMarks { words.append(UInt32(truncatingIfNeeded: mark)) }
    }
  }

  /// Says of whom a heart rate is.
  private mutating func setTag(of source: String?, at place: Int) {
    // The place of an old one is free already, and its source may be forgotten.
    let tag: UInt8
    if let known = sources.firstIndex(of: source) {
      tag = UInt8(known)
    } else {
      if sources.count > Int(UInt8.max) { forgetSources(but: place) }
      sources.append(source)
      tag = UInt8(sources.count - 1)
    }
    if place < tags.count {
      tags[place] = tag
    } else {
      if tags.capacity == tags.count { tags.reserveCapacity(max(Self.smallestCapacity, 2 * tags.count)) }
      tags.append(tag)
    }
  }

  /// Forgets the sources of which no sample is remembered.
  private mutating func forgetSources(but free: Int) {
    var kept: [String?] = []
    for place in tags.indices where place != free {
      let source = sources[Int(tags[place])]
      if !kept.contains(source) { kept.append(source) }
      tags[place] = UInt8(kept.firstIndex(of: source) ?? 0)
    }
    sources = kept
  }
}
