internal import TextFormats

/// One look at the directory of an archive.
///
/// Source: PKWARE, *APPNOTE.TXT – .ZIP File Format Specification*, 6.3.10, sections 4.3 and 4.5.3.
struct ZipScan {
  private enum Signature {
    static let entry = 0x0403_4B50
    static let descriptor = 0x0807_4B50
    static let directoryEntry = 0x0201_4B50
    static let end = 0x0605_4B50
    static let wideEnd = 0x0606_4B50
    static let wideEndLocator = 0x0706_4B50
  }

  /// The directory as the end of the archive states it.
  private struct Directory {
    let offset: Int
    let bytes: Int
    let count: Int
    /// The place of the record that states it.
    let end: Int
  }

  private static let endBytes = 22
  private static let longestComment = 0xFFFF
  private static let locatorBytes = 20
  private static let wideEndBytes = 56
  private static let directoryEntryBytes = 46
  private static let headerBytes = 30
  /// The longest entry of a directory, with its three texts.
  private static let longestDirectoryEntry = directoryEntryBytes + 3 * 0xFFFF
  private static let windowBytes = 256 << 10

  private let file: POSIXFile
  private let size: Int
  private(set) var entries: [ZipEntry] = []
  private(set) var warnings = RecordingWarnings()
  /// What came out of the entries that were unpacked to see how long they are.
  private var unpackedBytes = 0

  init(file: POSIXFile, size: Int) {
    self.file = file
    self.size = size
  }

  /// Reads the directory, or walks from entry to entry where there is none.
  ///
  /// - Throws: `FileError` when the file cannot be read, `DecodingProblem` when the archive cannot be used.
  mutating func run() throws {
    if let directory = try directory() {
      try read(directory)
      try refuseOverlaps(directory)
    } else {
      try walk()
      warnings.add(.truncated, at: "byte \(size)", detail: "expected the directory of the archive, found its end")
    }
  }

  // MARK: - The directory

  private func directory() throws -> Directory? {
    let tailBytes = min(size, Self.endBytes + Self.longestComment + Self.locatorBytes)
    let tail = try file.read(at: size - tailBytes, count: tailBytes)
    guard tail.count >= Self.endBytes else { return nil }
    // The record that reaches to the end of the file is the one; else bytes were added behind it.
    for isExact in [true, false] {
      for index in stride(from: tail.count - Self.endBytes, through: 0, by: -1)
      where tail[index] == UInt8(ascii: "P") && tail.littleEndian(at: index, bytes: 4) == Signature.end {
        let end = index + Self.endBytes + tail.littleEndian(at: index + 20, bytes: 2)
        guard isExact ? end == tail.count : end < tail.count else { continue }
        return try directory(tail, index, at: size - tail.count + index)
      }
    }
    return nil
  }

  private func directory(_ tail: [UInt8], _ index: Int, at position: Int) throws -> Directory {
    var directory = Directory(
      offset: tail.littleEndian(at: index + 16, bytes: 4), bytes: tail.littleEndian(at: index + 12, bytes: 4),
      count: tail.littleEndian(at: index + 10, bytes: 2), end: position)
    let locator = index - Self.locatorBytes
    if directory.offset == 0xFFFF_FFFF || directory.bytes == 0xFFFF_FFFF || directory.count == 0xFFFF, locator >= 0,
      tail.littleEndian(at: locator, bytes: 4) == Signature.wideEndLocator
    {
      let offset = tail.littleEndian(at: locator + 8, bytes: 8)
      let wide = try offset < size ? file.read(at: offset, count: Self.wideEndBytes) : []
      guard wide.count == Self.wideEndBytes, wide.littleEndian(at: 0, bytes: 4) == Signature.wideEnd else {
        throw problem(at: position, "expected the end of the directory inside of the archive")
      }
      directory = Directory(
        offset: wide.littleEndian(at: 48, bytes: 8), bytes: wide.littleEndian(at: 40, bytes: 8),
        count: wide.littleEndian(at: 32, bytes: 8), end: offset)
    }
    guard directory.offset <= directory.end, directory.bytes <= directory.end - directory.offset else {
      throw problem(at: position, "expected the directory inside of the archive")
    }
    guard directory.bytes <= ZipArchive.largestDirectoryBytes else {
      throw problem(at: position, "expected a directory of at most \(ZipArchive.largestDirectoryBytes) bytes")
    }
    guard directory.count <= ZipArchive.largestCount else {
      throw problem(at: position, "expected at most \(ZipArchive.largestCount) entries")
    }
    return directory
  }

  private mutating func read(_ directory: Directory) throws {
    var window: [UInt8] = []
    var windowStart = directory.offset
    var offset = directory.offset
    let end = directory.offset + directory.bytes
    for _ in 0..<directory.count {
      if windowStart + window.count < end, offset + Self.longestDirectoryEntry > windowStart + window.count {
        windowStart = offset
        window = try file.read(at: offset, count: min(Self.windowBytes, end - offset))
      }
      guard let next = take(window, at: offset - windowStart) else {
        guard !entries.isEmpty else { throw problem(at: offset, "expected an entry of the directory") }
        return warnings.add(.truncated, at: "byte \(offset)", detail: "expected an entry of the directory")
      }
      offset += next
    }
  }

  /// Takes the entry of the directory at `index`; its length, `nil` when there is none.
  private mutating func take(_ bytes: [UInt8], at index: Int) -> Int? {
    guard index >= 0, index + Self.directoryEntryBytes <= bytes.count,
      bytes.littleEndian(at: index, bytes: 4) == Signature.directoryEntry
    else { return nil }
    let nameBytes = bytes.littleEndian(at: index + 28, bytes: 2)
    let extraBytes = bytes.littleEndian(at: index + 30, bytes: 2)
    let commentBytes = bytes.littleEndian(at: index + 32, bytes: 2)
    let name = index + Self.directoryEntryBytes
    let length = Self.directoryEntryBytes + nameBytes + extraBytes + commentBytes
    guard index + length <= bytes.count else { return nil }
    var numbers = [24, 20, 42].map { bytes.littleEndian(at: index + $0, bytes: 4) }
    Self.widen(&numbers, bytes, name + nameBytes..<name + nameBytes + extraBytes)
    entries.append(
      ZipEntry(
        name: FileName.text(bytes[name..<name + nameBytes]),
        method: bytes.littleEndian(at: index + 10, bytes: 2),
        isEncrypted: bytes.littleEndian(at: index + 8, bytes: 2) & 1 != 0,
        checksum: UInt32(bytes.littleEndian(at: index + 16, bytes: 4)), packedBytes: numbers[1],
        unpackedBytes: numbers[0], headerOffset: numbers[2]))
    return length
  }

  /// Replaces numbers that did not fit into four bytes by those of the extra field for large archives.
  private static func widen(_ numbers: inout [Int], _ bytes: [UInt8], _ extra: Range<Int>) {
    var index = extra.lowerBound
    while index + 4 <= extra.upperBound {
      let kind = bytes.littleEndian(at: index, bytes: 2)
      let end = index + 4 + bytes.littleEndian(at: index + 2, bytes: 2)
      guard end <= extra.upperBound else { return }
      index += 4
      if kind == 1 {
        for place in numbers.indices where numbers[place] == 0xFFFF_FFFF && index + 8 <= end {
          numbers[place] = bytes.littleEndian(at: index, bytes: 8)
          index += 8
        }
        return
      }
      index = end
    }
  }

  /// Two entries that share bytes are how a small archive becomes a huge one.
  private func refuseOverlaps(_ directory: Directory) throws {
    let ordered = entries.sorted { $0.headerOffset < $1.headerOffset }
    for (index, entry) in ordered.enumerated() {
      let next = index + 1 < ordered.count ? ordered[index + 1].headerOffset : directory.offset
      guard entry.headerOffset <= next - Self.headerBytes,
        entry.packedBytes <= next - Self.headerBytes - entry.headerOffset
      else {
        throw problem(
          at: entry.headerOffset, "\(entry.messageName): expected an entry that ends before the next begins")
      }
    }
  }

  private func problem(at offset: Int, _ problem: String) -> DecodingProblem {
    DecodingProblem(position: "byte \(offset)", problem: problem)
  }

  // MARK: - An archive without its directory

  private mutating func walk() throws {
    var offset = 0
    var nameBytes = 0
    while entries.count < ZipArchive.largestCount, nameBytes <= ZipArchive.largestDirectoryBytes,
      unpackedBytes <= GzipLimits.ofArchive.totalBytes, let next = try step(at: offset)
    {
      nameBytes += entries.last?.name.utf8.count ?? 0
      offset = next
    }
    guard !entries.isEmpty else { throw problem(at: offset, "expected an entry of a zip archive, found its end") }
  }

  /// Takes the entry whose header is at `offset`; where the next may begin, `nil` when none can follow.
  private mutating func step(at offset: Int) throws -> Int? {
    let header = try file.read(at: offset, count: Self.headerBytes)
    guard header.count == Self.headerBytes, header.littleEndian(at: 0, bytes: 4) == Signature.entry else { return nil }
    let nameBytes = header.littleEndian(at: 26, bytes: 2)
    let extraBytes = header.littleEndian(at: 28, bytes: 2)
    let texts = try file.read(at: offset + Self.headerBytes, count: nameBytes + extraBytes)
    guard texts.count == nameBytes + extraBytes else { return nil }
    var numbers = [22, 18].map { header.littleEndian(at: $0, bytes: 4) }
    Self.widen(&numbers, texts, nameBytes..<texts.count)
    let flags = header.littleEndian(at: 6, bytes: 2)
    let method = header.littleEndian(at: 8, bytes: 2)
    let data = offset + Self.headerBytes + texts.count
    // With a data descriptor the sizes stand behind the data.
    let isOpen = flags & 8 != 0 && numbers[1] == 0
    let entry = ZipEntry(
      name: FileName.text(texts[..<nameBytes]), method: method, isEncrypted: flags & 1 != 0,
      checksum: isOpen ? nil : UInt32(header.littleEndian(at: 14, bytes: 4)),
      packedBytes: isOpen ? size - data : min(numbers[1], size - data), unpackedBytes: isOpen ? nil : numbers[0],
      headerOffset: offset)
    entries.append(entry)
    guard isOpen else { return numbers[1] < size - data ? data + numbers[1] : nil }
    guard method == 8, flags & 1 == 0, let packed = try packedBytes(of: entry) else { return nil }
    return try entryAfterDescriptor(at: data + packed)
  }

  /// The packed size of an entry that does not state it, found by unpacking it; `nil` when it does not end.
  private mutating func packedBytes(of entry: ZipEntry) throws -> Int? {
    do {
      let reader = try ZipEntryReader(entry, of: file, limits: GzipLimits.ofArchive)
      var piece = [UInt8](repeating: 0, count: 64 << 10)
      defer { unpackedBytes += reader.writtenBytes }
      while try reader.read(into: &piece) > 0 {}
      return reader.takenBytes
    } catch is DecodingProblem {
      return nil
    }
  }

  /// Where the entry begins behind a data descriptor, which has one of four lengths.
  private func entryAfterDescriptor(at offset: Int) throws -> Int? {
    for length in [16, 24, 12, 20] {
      let signature = try file.read(at: offset + length, count: 4)
      if signature.count == 4, signature.littleEndian(at: 0, bytes: 4) == Signature.entry { return offset + length }
    }
    return nil
  }
}
