/// Writes an archive in the format of POSIX tar (ustar, with extended headers where a name is too long for it or a file
/// larger than 8 GiB), for its owner only.
package struct TarWriter {
  private static let block = 512
  private static let largestSize = 0o77_777_777_777

  /// Appends the header of a folder.
  package static func folder(_ path: String, modifiedSeconds: Int64) -> [UInt8] {
    header(path + "/", type: "5", mode: 0o700, size: 0, modifiedSeconds: modifiedSeconds)
  }

  /// The header of a file of that size, whose bytes follow and then ``padding(after:)``.
  package static func file(_ path: String, size: Int, modifiedSeconds: Int64) -> [UInt8] {
    header(path, type: "0", mode: 0o600, size: size, modifiedSeconds: modifiedSeconds)
  }

  /// What fills the last block of a file.
  package static func padding(after size: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: (block - size % block) % block)
  }

  /// What ends an archive.
  package static let end = [UInt8](repeating: 0, count: 2 * block)

  private static func header(
    _ path: String, type: Character, mode: Int, size: Int, modifiedSeconds: Int64
  ) -> [UInt8] {
    let split = parts(of: path)
    guard let split, size <= largestSize else {
      var records: [UInt8] = record("path", path)
      if size > largestSize { records += record("size", "\(size)") }
      let extended = plain(
        (name: "PaxHeader", prefix: ""), type: "x", mode: 0o600, size: records.count, modifiedSeconds: modifiedSeconds)
      let short = split ?? (name: String(decoding: path.utf8.prefix(90), as: UTF8.self), prefix: "")
      return extended + records + padding(after: records.count)
        + plain(short, type: type, mode: mode, size: min(size, largestSize), modifiedSeconds: modifiedSeconds)
    }
    return plain(split, type: type, mode: mode, size: size, modifiedSeconds: modifiedSeconds)
  }

  /// The name and the folder before it, where they have room.
  private static func parts(of path: String) -> (name: String, prefix: String)? {
    if path.utf8.count <= 100 { return (path, "") }
    let bytes = Array(path.utf8)
    guard let slash = bytes.dropLast().lastIndex(of: UInt8(ascii: "/")), slash <= 155, bytes.count - slash - 1 <= 100
    else { return nil }
    return (String(decoding: bytes[(slash + 1)...], as: UTF8.self), String(decoding: bytes[..<slash], as: UTF8.self))
  }

  /// A record of an extended header: its own length, then key and value.
  private static func record(_ key: String, _ value: String) -> [UInt8] {
    let rest = " \(key)=\(value)\n"
    var length = rest.utf8.count
    while "\(length)".utf8.count + rest.utf8.count != length { length = "\(length)".utf8.count + rest.utf8.count }
    return Array("\(length)\(rest)".utf8)
  }

  private static func plain(
    _ path: (name: String, prefix: String), type: Character, mode: Int, size: Int, modifiedSeconds: Int64
  ) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: block)
    func put(_ text: String, at start: Int) {
      for (offset, byte) in text.utf8.enumerated() { header[start + offset] = byte }
    }
    func put(_ number: Int64, digits: Int, at start: Int) {
      let text = String(number, radix: 8)
      put(String(repeating: "0", count: max(0, digits - text.count)) + text, at: start)
    }
    put(path.name, at: 0)
    put(Int64(mode), digits: 7, at: 100)
    put(0, digits: 7, at: 108)
    put(0, digits: 7, at: 116)
    put(Int64(size), digits: 11, at: 124)
    put(min(max(0, modifiedSeconds), Int64(largestSize)), digits: 11, at: 136)
    put("        ", at: 148)
    put(String(type), at: 156)
    put("ustar", at: 257)
    put("00", at: 263)
    put(path.prefix, at: 345)
    put(Int64(header.reduce(0) { $0 + Int($1) }), digits: 6, at: 148)
    header[154] = 0
    return header
  }
}
