internal import SessionStore
internal import Synchronization
internal import TextFormats

/// The numbers of the segments of a shard, from 1: each is given once.
final class SegmentNumbers: Sendable {
  private let last = Atomic(0)

  /// The next one.
  func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// The segments that a shard writes one after another. Only the queue of its writer uses them.
final class JournalSegments {
  /// The number of the one that is written, or was the last; 0 before the first.
  private(set) var number = 0

  private let journal: SharedJournal
  private let shard: Int
  private let numbers: SegmentNumbers
  private let device: any JournalDevice
  private let largestBytes: Int
  private var file: POSIXFile?
  private var version = LiveJournal.Version.first
  /// Where the next bytes come in the one that is written.
  private(set) var end = 0
  private var hasUnsynced = false
  /// How long it took to bring something to the disk, in nanoseconds.
  private var syncTimes: [Int64] = []
  private static let mostTimes = 100_000

  /// No segment yet.
  init(_ journal: SharedJournal, shard: Int, _ numbers: SegmentNumbers, _ device: any JournalDevice, bytes: Int) {
    self.journal = journal
    self.shard = shard
    self.numbers = numbers
    self.device = device
    largestBytes = bytes
  }

  /// Begins a segment where there is none, or the last one is full, or of an older version than what comes has to have.
  ///
  /// - Returns: the number of the one before, which is on the disk; `nil` when there was none.
  /// - Throws: `FileError` when it cannot be made, or the one before cannot be brought to the disk; that is still the one that
  ///   is written then.
  func makeRoom(_ version: LiveJournal.Version) throws -> Int? {
    if file != nil, end <= largestBytes, version <= self.version { return nil }
    let journal = try journal.made()
    let full = file == nil ? nil : number
    try sync()
    let next = numbers.next()
    let made = try device.makeSegment(of: journal, shard: shard, number: next, max(version, self.version))
    try? file?.close()
    file = made
    number = next
    self.version = max(version, self.version)
    end = LiveJournal.headBytes
    return full
  }

  /// Ends the segment that is written; the next one begins with the next frames.
  ///
  /// - Returns: its number, when it is on the disk; `nil` when none is written.
  /// - Throws: `FileError` when it cannot be brought to the disk; it goes on.
  func close() throws(FileError) -> Int? {
    guard let file else { return nil }
    try sync()
    try? file.close()
    self.file = nil
    return number
  }

  /// Writes frames to the segment.
  ///
  /// - Throws: `FileError` when not all of it can be written.
  func write(_ frames: Span<UInt8>) throws(FileError) {
    guard let file else { return }
    hasUnsynced = true
    try device.write(frames, to: file)
    end += frames.count
  }

  /// Waits until what was written is on the disk.
  ///
  /// - Throws: `FileError` when nobody knows that.
  func sync() throws(FileError) {
    guard let file, hasUnsynced else { return }
    let begin = device.now()
    try device.sync(file)
    hasUnsynced = false
    if syncTimes.count < Self.mostTimes { syncTimes.append(device.now() - begin) }
  }

  /// Writes nothing more to the segment: nobody knows what the disk has of it, or it is over.
  ///
  /// - Returns: its number; `nil` when none was written.
  @discardableResult
  func abandon() -> Int? {
    guard let file else { return nil }
    try? file.close()
    self.file = nil
    hasUnsynced = false
    return number
  }

  /// How long each sync took since the last call, in nanoseconds.
  func takeSyncTimes() -> [Int64] {
    defer { syncTimes = [] }
    return syncTimes
  }
}

/// Where a journal has something: in which segment of the shard, and where there.
struct JournalPlace: Sendable {
  private let number: UInt32
  private let begin: UInt32
  private let size: UInt32

  /// The number of the segment.
  var segment: Int { Int(number) }
  /// The first byte.
  var offset: Int { Int(begin) }
  /// How many bytes.
  var count: Int { Int(size) }

  /// A place in a segment, which is smaller than 4 GB.
  init(segment: Int, offset: Int, count: Int) {
    number = UInt32(segment)
    begin = UInt32(offset)
    size = UInt32(count)
  }
}
