/// Makes the bytes of zip archives, right and wrong ones, from the words of the specification and without the reader.
public struct ZipBuilder: Sendable {
  /// How an entry is written; each is what some program does.
  public struct Style: Sendable {
    /// The sizes and the checksum stand behind the data, as programs write that do not know them before.
    public var hasDescriptor = false
    /// The descriptor begins with its signature, which is optional.
    public var hasDescriptorSignature = true
    /// Sizes and the offset stand in the extra field for large archives.
    public var isWide = false
    /// Another field stands before that of large archives.
    public var hasOtherExtra = false
    /// The method that is stated, where it is not the one that was used.
    public var method: Int?
    /// Whether a password is said to be needed.
    public var isEncrypted = false
    /// What is added to the stated checksum.
    public var checksumError: UInt32 = 0
    /// The size of the packed bytes that is stated, where it is not theirs.
    public var packedBytes: Int?
    /// Where the entry is said to stand, where it does not.
    public var offset: Int?

    /// Creates the plain style.
    public init() {}
  }

  /// The bytes of the entries.
  public private(set) var bytes: [UInt8] = []
  /// Where each entry begins.
  public private(set) var offsets: [Int] = []
  private var directory: [UInt8] = []

  /// Creates an archive without an entry.
  public init() {}

  /// Adds an entry whose data are `packed`, the deflated form of `content`, or `content` itself where that is `nil`.
  public mutating func add(
    _ name: String, _ content: [UInt8], deflated packed: [UInt8]? = nil, _ style: Style = Style()
  ) {
    let data = packed ?? content
    let checksum = Self.checksum(content) &+ style.checksumError
    let (offset, size) = (style.offset ?? bytes.count, style.packedBytes ?? data.count)
    let method = style.method ?? (packed == nil ? 0 : 8)
    let flags = (style.isEncrypted ? 1 : 0) | (style.hasDescriptor ? 8 : 0) | 0x800
    let other: [UInt8] = style.hasOtherExtra ? Self.little(0x5455, 2) + Self.little(5, 2) + [1, 2, 3, 4, 5] : []
    func wide(_ numbers: [Int]) -> [UInt8] {
      guard style.isWide else { return other }
      return other + Self.little(1, 2) + Self.little(8 * numbers.count, 2) + numbers.flatMap { Self.little($0, 8) }
    }
    func number(_ value: Int) -> [UInt8] { style.isWide ? [255, 255, 255, 255] : Self.little(value, 4) }
    let start =
      Self.little(style.isWide ? 45 : 20, 2) + Self.little(flags, 2) + Self.little(method, 2) + [0, 0, 33, 88]
    let letters = Array(name.utf8)

    offsets.append(bytes.count)
    let isOpen = style.hasDescriptor
    let localExtra = wide(isOpen ? [0, 0] : [content.count, size])
    bytes += Self.little(0x0403_4B50, 4) + start + Self.little(isOpen ? 0 : Int(checksum), 4)
    bytes += isOpen && !style.isWide ? [UInt8](repeating: 0, count: 8) : number(size) + number(content.count)
    bytes += Self.little(letters.count, 2) + Self.little(localExtra.count, 2) + letters + localExtra + data
    if isOpen {
      if style.hasDescriptorSignature { bytes += Self.little(0x0807_4B50, 4) }
      let width = style.isWide ? 8 : 4
      bytes += Self.little(Int(checksum), 4) + Self.little(size, width) + Self.little(content.count, width)
    }

    let extra = wide([content.count, size, offset])
    directory += Self.little(0x0201_4B50, 4) + Self.little(45, 2) + start + Self.little(Int(checksum), 4)
    directory += number(size) + number(content.count) + Self.little(letters.count, 2) + Self.little(extra.count, 2)
    directory += [UInt8](repeating: 0, count: 10) + number(offset) + letters + extra
  }

  /// The archive with its directory; `isWide` puts count, size and place of the directory in the record for large ones.
  public func archive(comment: [UInt8] = [], isWide: Bool = false, count: Int? = nil) -> [UInt8] {
    let count = count ?? offsets.count
    var end: [UInt8] = []
    if isWide {
      let start = bytes.count + directory.count
      end += Self.little(0x0606_4B50, 4) + Self.little(44, 8) + Self.little(45, 2) + Self.little(45, 2)
      end += [UInt8](repeating: 0, count: 8) + Self.little(count, 8) + Self.little(count, 8)
      end += Self.little(directory.count, 8) + Self.little(bytes.count, 8)
      end += Self.little(0x0706_4B50, 4) + Self.little(0, 4) + Self.little(start, 8) + Self.little(1, 4)
    }
    let stated = isWide ? 0xFFFF : count
    end += Self.little(0x0605_4B50, 4) + [0, 0, 0, 0] + Self.little(stated, 2) + Self.little(stated, 2)
    end += isWide ? [UInt8](repeating: 255, count: 8) : Self.little(directory.count, 4) + Self.little(bytes.count, 4)
    return bytes + directory + end + Self.little(comment.count, 2) + comment
  }

  private static func little(_ value: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// The checksum of zip, bit by bit.
  ///
  /// Source: PKWARE, *APPNOTE.TXT – .ZIP File Format Specification*, 6.3.10, section 4.4.7.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }
}
