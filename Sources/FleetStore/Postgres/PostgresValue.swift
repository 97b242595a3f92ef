/// A value that is bound to a statement: it never becomes a part of its text.
package enum PostgresValue: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])
  case integers([Int64])
  case texts([String])
  case blobs([[UInt8]])

  /// A text, or nothing.
  package static func optional(_ value: String?) -> PostgresValue { value.map { .text($0) } ?? .null }
  /// Bytes, or nothing.
  package static func optional(_ value: [UInt8]?) -> PostgresValue { value.map { .bytes($0) } ?? .null }

  /// The number of its type, as in the catalogue of every server; 0 lets the server find out.
  var type: UInt32 {
    switch self {
    case .null: 0
    case .integer: 20
    case .real: 701
    case .text: 25
    case .bytes: 17
    case .integers: 1016
    case .texts: 1009
    case .blobs: 1001
    }
  }

  /// Its bytes in the server's binary form, big-endian; `nil` for nothing.
  ///
  /// Source: PostgreSQL 15, src/backend/utils/adt/{int8,float,varlena,arrayfuncs}.c, the functions whose names end in `recv`.
  var encoded: [UInt8]? {
    switch self {
    case .null: nil
    case .integer(let value): value.bigEndianBytes
    case .real(let value): value.bitPattern.bigEndianBytes
    case .text(let value): Array(value.utf8)
    case .bytes(let value): value
    case .integers(let values): Self.array(of: 20, values) { $0 += $1.bigEndianBytes }
    case .texts(let values): Self.array(of: 25, values) { $0 += $1.utf8 }
    case .blobs(let values): Self.array(of: 17, values) { $0 += $1 }
    }
  }

  private static func array<Element>(
    of type: UInt32, _ values: [Element], _ append: (inout [UInt8], Element) -> Void
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes += Int32(values.isEmpty ? 0 : 1).bigEndianBytes
    bytes += Int32(0).bigEndianBytes
    bytes += type.bigEndianBytes
    guard !values.isEmpty else { return bytes }
    bytes += Int32(values.count).bigEndianBytes
    bytes += Int32(1).bigEndianBytes
    for value in values {
      let place = bytes.count
      bytes += [0, 0, 0, 0]
      append(&bytes, value)
      let count = Int32(bytes.count - place - 4).bigEndianBytes
      for (offset, byte) in count.enumerated() { bytes[place + offset] = byte }
    }
    return bytes
  }
}

/// What a statement gave: rows of values in the server's binary form.
package struct PostgresRows: Sendable {
  /// One row.
  package struct Row: Sendable {
    let fields: [[UInt8]?]

    /// A number; 0 where there is none. The column is a `bigint`, `integer` or `smallint`.
    package func integer(_ column: Int) -> Int64 {
      let bytes = fields[column] ?? []
      let value = bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      switch bytes.count {
      case 2: return Int64(Int16(truncatingIfNeeded: value))
      case 4: return Int64(Int32(truncatingIfNeeded: value))
      default: return Int64(bitPattern: value)
      }
    }

    /// Whether something is so; `false` where nobody knows.
    package func isTrue(_ column: Int) -> Bool { fields[column]?.first == 1 }
    /// A text; empty where there is none.
    package func text(_ column: Int) -> String { optionalText(column) ?? "" }
    /// A text, or nothing.
    package func optionalText(_ column: Int) -> String? { fields[column].map { String(decoding: $0, as: UTF8.self) } }
    /// Bytes; none where there are none.
    package func bytes(_ column: Int) -> [UInt8] { fields[column] ?? [] }
    /// Bytes, or nothing.
    package func optionalBytes(_ column: Int) -> [UInt8]? { fields[column] }
  }

  /// The rows, in the order in which the server gave them.
  package internal(set) var rows: [Row] = []
  /// How many rows a statement changed that gives none.
  package internal(set) var changedCount = 0
}

extension FixedWidthInteger {
  /// Its bytes, the highest first.
  fileprivate var bigEndianBytes: [UInt8] {
    (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> (Self.bitWidth - 8 - 8 * $0)) }
  }
}
