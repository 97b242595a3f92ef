private import CSQLite
private import Glibc

/// A prepared statement. Columns are counted from 0.
@safe
final class Statement {
  private static let recentPerColumn = 4

  private let handle: OpaquePointer
  /// Texts that were read lately, a few for each column.
  private var recent: [String] = []

  @unsafe init(_ handle: OpaquePointer) { unsafe self.handle = handle }

  deinit { _ = unsafe sqlite3_finalize(handle) }

  /// Goes to the next row; a code of SQLite.
  func step() -> Int32 { unsafe sqlite3_step(handle) }

  /// Makes it ready to be run again, without values.
  func reset() {
    _ = unsafe sqlite3_reset(handle)
    _ = unsafe sqlite3_clear_bindings(handle)
  }

  /// Sets a value, counted from 1; a code of SQLite.
  func bind(_ value: DatabaseValue, at index: Int32) -> Int32 {
    switch value {
    case .null: return unsafe sqlite3_bind_null(handle, index)
    case .integer(let number): return unsafe sqlite3_bind_int64(handle, index, number)
    case .real(let number): return unsafe sqlite3_bind_double(handle, index, number)
    case .text(let text):
      var text = text
      return text.withUTF8 { bytes in
        unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
          unsafe coach_bind_text(handle, index, characters.baseAddress, Int32(characters.count))
        }
      }
    case .blob(let bytes):
      return unsafe bytes.withUnsafeBytes { bytes in
        unsafe coach_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count))
      }
    }
  }

  var columnCount: Int32 { unsafe sqlite3_column_count(handle) }

  func value(_ column: Int32) -> DatabaseValue {
    switch unsafe sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer(int64(column))
    case SQLITE_FLOAT: .real(double(column))
    case SQLITE_TEXT: .text(text(column) ?? "")
    case SQLITE_BLOB: .blob(blob(column))
    default: .null
    }
  }

  func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }
  func int64(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }
  func double(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

  /// A text; `nil` for nothing.
  func text(_ column: Int32) -> String? {
    guard let bytes = unsafe sqlite3_column_text(handle, column) else { return nil }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// The same for a column in which many rows have the same text: one that was read lately is given again.
  func repeatedText(_ column: Int32) -> String? {
    guard let bytes = unsafe sqlite3_column_text(handle, column) else { return nil }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    guard count > 0 else { return "" }
    if recent.isEmpty { recent = Array(repeating: "", count: Int(columnCount) * Self.recentPerColumn) }
    // Texts that take turns, such as two activities, seldom share a place.
    let turn = (count ^ Int(unsafe bytes[0])) % Self.recentPerColumn
    let place = Int(column) * Self.recentPerColumn + turn
    let isKnown = unsafe recent[place].utf8.withContiguousStorageIfAvailable { known in
      guard let start = known.baseAddress else { return false }
      return unsafe known.count == count && memcmp(start, bytes, count) == 0
    }
    if isKnown != true {
      recent[place] = unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
    return recent[place]
  }

  func blob(_ column: Int32) -> [UInt8] {
    guard let bytes = unsafe sqlite3_column_blob(handle, column) else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
  }
}
