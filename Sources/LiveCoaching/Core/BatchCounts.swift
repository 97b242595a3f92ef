/// The outcomes of batches whose names count up, as `live-17` and `live-18` do, without those that stand elsewhere: the first of each
/// count, and those that have no room in a page.
struct BatchCounts {
  /// Which batch of a count makes it one that has pages. So names that count by chance, or not for long, take no page.
  static let fewest = 32
  /// How many counts go on at a time, such as those of a phone and a watch.
  static let mostOpen = 4
  /// How many names a count may leave out and be the same.
  static let mostLeftOut: UInt64 = 3
  /// Of how many batches of a count that goes on the whole hash of the lines is kept.
  static let mostWhole = 256

  /// A count that goes on.
  private struct Open {
    let prefix: UInt64
    /// The number after that of the last name.
    var next: UInt64
    /// The high halves of the hashes of the lines of the last batches, each in the place that the lowest bits of its number say.
    var highs: [UInt16] = []
    /// How many numbers before `next` have such a place.
    var whole: UInt16 = 0
    /// By the clock, when it went on.
    var lastUse: UInt16
    /// The number of the last record of the last batch in its page.
    var lastRecord: UInt32 = 0
    /// The page of the last batches; before there is one minus how many names have counted.
    var page: Int32 = -1
    /// What its pages know it by.
    var id: UInt32 = 0

    init(after name: BatchName.Counted, lastUse: UInt16) {
      prefix = name.prefix
      next = name.number + 1
      self.lastUse = lastUse
    }

    /// How many names lie between the last one and a name that it may go on with; `nil` for another one.
    func leftOut(before name: BatchName.Counted) -> UInt64? {
      guard name.prefix == prefix, name.number >= next else { return nil }
      let count = name.number - next
      return count <= BatchCounts.mostLeftOut ? count : nil
    }

    /// The high half of the hash of the lines of a batch in its pages; `nil` where it is not known any more.
    func high(of name: BatchName.Counted, in page: BatchPage) -> UInt16? {
      guard self.page >= 0, page.id == id, name.number < next, next - name.number <= UInt64(whole) else { return nil }
      return highs[Int(name.number & UInt64(highs.count - 1))]
    }

    /// Goes on to a name.
    mutating func advance(to name: BatchName.Counted) {
      if page >= 0 {
        let all = min(BatchCounts.mostWhole, Int(whole) + Int(name.number + 1 - next))
        if all > highs.count { makeRoom(for: all) }
        whole = UInt16(all)
      }
      next = name.number + 1
    }

    /// Goes on in another page, or begins the first one with the last name.
    mutating func beginPage(_ place: Int) {
      if page < 0 {
        highs = [UInt16](repeating: 0, count: 8)
        whole = 1
      }
      page = Int32(place)
    }

    private mutating func makeRoom(for all: Int) {
      var size = highs.count
      while size < all { size *= 2 }
      var larger = [UInt16](repeating: 0, count: size)
      for number in (next - UInt64(whole))..<next {
        larger[Int(number & UInt64(size - 1))] = highs[Int(number & UInt64(highs.count - 1))]
      }
      highs = larger
    }

    /// Keeps the high half of the hash of the lines of the last batch.
    mutating func keep(high: UInt16) { highs[Int((next - 1) & UInt64(highs.count - 1))] = high }
  }

  /// The pages, by their prefixes and then by their first numbers.
  private var pages: [BatchPage] = []
  /// The counts that go on, in any order.
  private var open: [Open] = []
  /// How many counts have had pages.
  private var idCount: UInt32 = 0
  /// Counts the names, over and over.
  private var clock: UInt16 = 0

  // MARK: - Looking

  /// The outcome of a batch, and the hash of its lines as far as it is known; `nil` for one that is not here.
  func outcome(of name: BatchName.Counted) -> (outcome: BatchOutcome, lines: LinesHash)? {
    guard let page = page(of: name), let entry = pages[page].entry(name.number) else { return nil }
    let outcome = BatchOutcome(
      accepted: Int(entry.accepted), rejected: [], moreRejected: 0, recordBefore: Int(entry.recordBefore),
      lastRecord: Int(entry.lastRecord))
    for place in open.indices {
      if let high = open[place].high(of: name, in: pages[page]) {
        return (outcome, .whole(UInt32(high) << 16 | UInt32(entry.lines)))
      }
    }
    return (outcome, .half(entry.lines))
  }

  /// The page in which a name would be.
  private func page(of name: BatchName.Counted) -> Int? {
    for place in open.indices where open[place].page >= 0 && open[place].prefix == name.prefix {
      let page = Int(open[place].page)
      if pages[page].first <= name.number, page + 1 == pages.count || pages[page + 1].isBehind(name) { return page }
    }
    let behind = pagesBefore(name)
    return behind > 0 && pages[behind - 1].prefix == name.prefix ? behind - 1 : nil
  }

  /// How many pages begin before a name or with it.
  private func pagesBefore(_ name: BatchName.Counted) -> Int {
    var low = 0
    var high = pages.count
    while low < high {
      let middle = (low + high) / 2
      if pages[middle].isBehind(name) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  // MARK: - Keeping

  /// Whether a count goes on with a name.
  func goesOn(with name: BatchName.Counted) -> Bool { open.contains { $0.leftOut(before: name) != nil } }

  /// Keeps the outcome of a batch that was not sent before, if it belongs here.
  ///
  /// - Parameter lines: the hash of its lines.
  /// - Returns: whether it does.
  mutating func keep(_ outcome: BatchOutcome, of name: BatchName.Counted, lines: UInt32) -> Bool {
    guard let place = goOn(with: name) else { return false }
    open[place].advance(to: name)
    if open[place].page < 0 {
      if open[place].page > -Int32(Self.fewest) { open[place].page -= 1 }
      if open[place].page > -Int32(Self.fewest) { return false }
    }
    guard outcome.rejected.isEmpty, outcome.moreRejected == 0, let accepted = UInt16(exactly: outcome.accepted),
      let recordBefore = UInt32(exactly: outcome.recordBefore), let lastRecord = UInt32(exactly: outcome.lastRecord),
      (0...BatchPage.mostRecords).contains(outcome.lastRecord - outcome.recordBefore)
    else { return false }
    let entry = BatchPage.Entry(
      accepted: accepted, recordBefore: recordBefore, lastRecord: lastRecord, lines: UInt16(truncatingIfNeeded: lines))
    let page = Int(open[place].page)
    if page < 0 {
      guard beginPage(with: entry, name, of: place) else { return false }
    } else {
      guard pages[page].holds(accepted: accepted) else { return false }
      let gap = Int(recordBefore) - Int(open[place].lastRecord)
      let isFree = page + 1 == pages.count || pages[page + 1].isBehind(name)
      if !isFree || !pages[page].append(entry, number: name.number, gap: gap) {
        guard beginPage(with: entry, name, of: place) else { return false }
      }
    }
    open[place].lastRecord = lastRecord
    open[place].keep(high: UInt16(truncatingIfNeeded: lines >> 16))
    return true
  }

  /// The place of the count that goes on with a name; where none does, one begins with it, in place of that which did not for longest.
  private mutating func goOn(with name: BatchName.Counted) -> Int? {
    clock &+= 1
    var found: Int?
    var (least, oldest) = (UInt64.max, 0)
    for place in open.indices {
      if let leftOut = open[place].leftOut(before: name), leftOut < least { (found, least) = (place, leftOut) }
      if clock &- open[place].lastUse > clock &- open[oldest].lastUse { oldest = place }
    }
    if let found {
      open[found].lastUse = clock
      return found
    }
    let begun = Open(after: name, lastUse: clock)
    if open.count == Self.mostOpen {
      open[oldest] = begun
    } else {
      if open.count == open.capacity { open.reserveCapacity(open.isEmpty ? 1 : Self.mostOpen) }
      open.append(begun)
    }
    return nil
  }

  /// Begins a page of a count with a batch.
  ///
  /// - Returns: whether it may: a name is in the range of one page at most.
  private mutating func beginPage(with entry: BatchPage.Entry, _ name: BatchName.Counted, of place: Int) -> Bool {
    let page = pagesBefore(name)
    if page > 0, pages[page - 1].prefix == name.prefix, pages[page - 1].end > name.number { return false }
    var byteCount = BatchPage.fewestBytes
    if open[place].page < 0 {
      idCount += 1
      open[place].id = idCount
    } else if case let before = pages[Int(open[place].page)], before.isHalfFull {
      byteCount = min(BatchPage.mostBytes, 2 * before.byteCount)
    }
    if pages.count == pages.capacity { pages.reserveCapacity(pages.count + max(1, pages.count / 4)) }
    pages.insert(BatchPage(name, with: entry, of: open[place].id, byteCount: byteCount), at: page)
    for index in open.indices where open[index].page >= page { open[index].page += 1 }
    open[place].beginPage(page)
    return true
  }

  // MARK: - Memory

  /// How many bytes are taken.
  var byteCount: Int {
    let header = 32
    return pages.capacity * MemoryLayout<BatchPage>.stride + open.capacity * MemoryLayout<Open>.stride
      + pages.reduce(0) { $0 + header + $1.byteCount }
      + open.reduce(0) { $0 + ($1.highs.isEmpty ? 0 : header) + $1.highs.capacity * 2 }
  }
}

extension BatchPage {
  /// Whether it begins after a name.
  fileprivate func isBehind(_ name: BatchName.Counted) -> Bool { (prefix, first) > (name.prefix, name.number) }
}
