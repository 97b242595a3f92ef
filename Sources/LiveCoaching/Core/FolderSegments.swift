private import Glibc
internal import SessionStore
internal import TextFormats

/// The segments of a shard's journal as its folders need them: what folders lack is read there, and one that no folder needs goes. Only
/// the queue of a ``FolderDelivery`` uses it.
final class FolderSegments: @unchecked Sendable {
  private let shard: Int
  private let journal: SharedJournal
  private let mostKept: Int
  /// Those to which nothing comes any more, and that folders may still need, the oldest first.
  private var full: [Int] = []
  /// The newest of those that go as soon as they can.
  private var newestUnwanted = 0
  /// Those that are read.
  private var open: [Int: POSIXFile] = [:]

  /// No segment yet.
  ///
  /// - Parameter mostKept: how many are kept although they could go, so that folders are not written for that.
  init(shard: Int, _ journal: SharedJournal, mostKept: Int) {
    self.shard = shard
    self.journal = journal
    self.mostKept = mostKept
  }

  /// Whether there is none to which nothing comes any more.
  var isEmpty: Bool { full.isEmpty }

  /// Nothing comes to a segment any more.
  ///
  /// - Parameter isUnwanted: whether it goes as soon as it can; else when there are too many.
  func retire(_ segment: Int, isUnwanted: Bool) {
    full.append(segment)
    if isUnwanted { newestUnwanted = segment }
  }

  /// All up to a number, to which nothing comes any more, go as soon as they can.
  func retireAll(upTo segment: Int) { newestUnwanted = max(newestUnwanted, segment) }

  /// Those that are to go, because they are not wanted, or too many: once no folder needs them.
  var due: [Int] {
    let kept = full.suffix(mostKept)
    return full.filter { $0 <= newestUnwanted || !kept.contains($0) }
  }

  /// Removes segments that no folder needs. What cannot be removed now is due still, and goes with the journal at last.
  func remove(_ segments: [Int]) {
    for segment in segments {
      open[segment] = nil
      do { try journal.made().removeSegment(shard: shard, number: segment) } catch { return }
      full.removeAll { $0 == segment }
    }
  }

  /// Removes the segment that one session had; `false` where it cannot be removed now, and goes with the full ones.
  func removeOwn(_ segment: Int) -> Bool {
    open[segment] = nil
    do {
      try journal.made().removeSegment(shard: shard, number: segment)
      return true
    } catch {
      full.append(segment)
      return false
    }
  }

  /// What a segment has at a place.
  ///
  /// - Throws: `FileError` when it cannot be read, or is not there.
  func read(_ place: JournalPlace) throws -> [UInt8] {
    let file: POSIXFile
    if let known = open[place.segment] {
      file = known
    } else {
      file = try journal.made().openSegment(shard: shard, number: place.segment)
      open[place.segment] = file
    }
    let bytes = try file.read(at: place.offset, count: place.count)
    guard bytes.count == place.count else { throw FileError(.read, file.path, code: EIO) }
    return bytes
  }
}
