internal import TextFormats

/// One file in a zip archive, as the archive describes it. Nothing of it is believed until it was read.
struct ZipEntry: Hashable, Sendable {
  /// The name with its folders; it is only ever compared and shown.
  let name: String
  /// How it is packed: 0 stored, 8 deflated.
  let method: Int
  /// Whether a password is needed.
  let isEncrypted: Bool
  /// The checksum of what is packed, where the archive states it.
  let checksum: UInt32?
  /// How many bytes it takes in the archive, at most.
  let packedBytes: Int
  /// How many bytes come out of it, where the archive states it.
  let unpackedBytes: Int?
  /// Where its header stands in the archive.
  let headerOffset: Int

  /// How long the name of an entry may be that is shown.
  private static let longestShownName = 120

  /// Whether it is a folder, or what macOS keeps beside a file.
  var isFolder: Bool { name.hasSuffix("/") || name.hasPrefix("__MACOSX/") }

  /// The name in a path for people, not too long.
  var shownName: String { String(name.unicodeScalars.prefix(Self.longestShownName)) }

  /// The name in a message, which is one line whatever it holds.
  var messageName: String { String(name.visible.unicodeScalars.prefix(Self.longestShownName)) }
}

extension [UInt8] {
  /// The whole number that stands at `index` in `bytes` bytes, the smallest first; the largest `Int` when it is larger.
  ///
  /// - Precondition: all of its bytes are there, and they are at most eight.
  func littleEndian(at index: Int, bytes: Int) -> Int {
    var value: UInt64 = 0
    for place in 0..<bytes { value |= UInt64(self[index + place]) << UInt64(8 * place) }
    return Int(exactly: value) ?? .max
  }
}
