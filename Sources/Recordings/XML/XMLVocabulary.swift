/// The elements that a reader of XML knows, by their local names: `hr` and `gpxtpx:hr` are the same one.
///
/// Capitals do not matter. A name of up to 16 bytes is compared as two numbers: nothing is allocated.
struct XMLVocabulary: Sendable {
  /// The code of an element that is not known.
  static let unknown: UInt8 = 0

  /// A local name of up to 16 bytes in small letters.
  fileprivate struct Key: Hashable {
    var low: UInt64 = 0
    var high: UInt64 = 0

    var slot: Int { Int(truncatingIfNeeded: ((low ^ high &* 0xC2B2_AE3D_27D4_EB4F) &* 0x9E37_79B9_7F4A_7C15) >> 57) }
  }

  /// A place for a name.
  struct Slot: Sendable {
    fileprivate var key = Key()
    fileprivate var code = unknown
  }

  /// How many slots there are: a power of two.
  static let slotCount = 128
  /// The names by their hash; where a slot is taken, the next free one.
  private(set) var slots = [Slot](repeating: Slot(), count: slotCount)
  private var names: [UInt8: StaticString] = [:]

  /// Creates a vocabulary; the first of several names of one code is the one for messages.
  ///
  /// - Precondition: names have 1…16 ASCII bytes without a colon, there are at most 64, and no code is 0.
  init(_ entries: [(StaticString, UInt8)]) {
    precondition(entries.count <= Self.slotCount / 2, "a vocabulary has at most 64 names")
    for (name, code) in entries {
      let found = unsafe Self.key(UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self))
      guard let key = found.key, code != Self.unknown else { preconditionFailure("a name has 1 to 16 bytes") }
      var slot = key.slot
      while slots[slot].code != Self.unknown { slot = (slot + 1) & (Self.slotCount - 1) }
      slots[slot] = Slot(key: key, code: code)
      if names[code] == nil { names[code] = name }
    }
  }

  /// The name of an element for a message.
  func name(of code: UInt8) -> String { names[code].map { "<\($0)>" } ?? "an element" }

  /// The code of a name that ends with a zero byte, and the length of its prefix with the colon. `slots` are those of a
  /// vocabulary, all of them, where they can be read without counting references.
  @inline(__always)
  static func code(
    of name: UnsafePointer<CChar>, in slots: UnsafePointer<Slot>
  ) -> (code: UInt8, prefixLength: Int) {
    let (key, prefixLength) = unsafe key(name)
    guard let key else { return (unknown, prefixLength) }
    var index = key.slot
    while true {
      let slot = unsafe slots[index]
      if slot.code == unknown || slot.key == key { return (slot.code, prefixLength) }
      index = (index + 1) & (slotCount - 1)
    }
  }

  @inline(__always)
  private static func key(_ name: UnsafePointer<CChar>) -> (key: Key?, prefixLength: Int) {
    var key = Key()
    var start = 0
    var index = 0
    while true {
      var byte = unsafe UInt8(bitPattern: name[index])
      guard byte != 0 else { break }
      index &+= 1
      if byte == UInt8(ascii: ":") {
        start = index
        key = Key()
        continue
      }
      if byte &- 65 < 26 { byte |= 0x20 }
      let place = index &- start &- 1
      if place < 8 {
        key.low |= UInt64(byte) &<< UInt64(truncatingIfNeeded: place &* 8)
      } else if place < 16 {
        key.high |= UInt64(byte) &<< UInt64(truncatingIfNeeded: (place &- 8) &* 8)
      }
    }
    let count = index - start
    return (count > 0 && count <= 16 ? key : nil, start)
  }
}
