/// The names of files as text.
///
/// The system knows a name as bytes, mostly UTF-8 and not always. Bytes that are none become scalars at the end of the last
/// private plane, U+10FF80 to U+10FFFF, which nobody uses, so that ``Swift/String/systemPath`` gives back the same bytes.
package enum FileName {
  /// What is added to a byte that is no part of UTF-8.
  fileprivate static let base: UInt32 = 0x10FF00

  /// The text of a name or a path.
  package static func text(_ bytes: some Collection<UInt8>) -> String {
    // Only scalars of the last planes begin with this byte.
    if !bytes.contains(0xF4), let text = String(validating: bytes, as: UTF8.self) { return text }
    var scalars = String.UnicodeScalarView()
    var rest = bytes[...]
    while !rest.isEmpty {
      var parser = Unicode.UTF8.ForwardParser()
      var iterator = rest.makeIterator()
      var raw = 0
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        if scalar.rawByte == nil {
          scalars.append(scalar)
          rest = rest.dropFirst(encoded.count)
        } else {
          raw = encoded.count
        }
      case .error(let length): raw = length
      case .emptyInput: raw = rest.count
      }
      for byte in rest.prefix(raw) {
        if let scalar = Unicode.Scalar(base + UInt32(byte)) { scalars.append(scalar) }
      }
      rest = rest.dropFirst(raw)
    }
    return String(scalars)
  }

  /// The text of a name or a path that the system gives, which ends with a zero byte.
  package static func text(cString: UnsafePointer<CChar>) -> String {
    var bytes: [UInt8] = []
    var pointer = unsafe cString
    while unsafe pointer.pointee != 0 {
      unsafe bytes.append(UInt8(bitPattern: pointer.pointee))
      unsafe pointer += 1
    }
    return text(bytes)
  }
}

extension Unicode.Scalar {
  /// The byte of a file's name that the scalar stands for; `nil` for every other scalar.
  package var rawByte: UInt8? {
    (FileName.base + 0x80...FileName.base + 0xFF).contains(value) ? UInt8(value - FileName.base) : nil
  }
}

extension String {
  /// The bytes of a name or a path for the system, with a zero byte at the end.
  package var systemPath: [CChar] {
    guard utf8.contains(0xF4) else { return Array(utf8CString) }
    var bytes: [UInt8] = []
    for scalar in unicodeScalars {
      if let byte = scalar.rawByte { bytes.append(byte) } else { bytes.append(contentsOf: Array(String(scalar).utf8)) }
    }
    return bytes.map { CChar(bitPattern: $0) } + [0]
  }
}
