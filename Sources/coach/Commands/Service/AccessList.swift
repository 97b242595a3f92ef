import CoachService
import TextFormats

/// Lists what lets people in: tokens, keys, and who somebody of a provider is.
enum AccessList {
  /// Prints what the store holds of a kind, without secrets: a line each, or records.
  ///
  /// - Parameters:
  ///   - name: what they are called in a document of records.
  ///   - empty: what is said where there is none.
  /// - Throws: what the store throws, or `FileError` when they cannot be written.
  static func run<Item: Sendable>(
    _ name: String, empty: String, _ parsed: ParsedArguments, _ console: Console,
    of items: (ServiceStore) async throws -> [Item], record: (Item, inout JSONWriter) -> Void, line: (Item) -> String
  ) async throws -> Int32 {
    let store = try StoreOfService(parsed, for: .reading).store
    let items = try await items(store)
    await store.close()
    guard parsed[OutputOptions.format] == .text else {
      try HistoryRequest.print(items, as: name, parsed, console, record)
      return 0
    }
    if items.isEmpty { console.complain(empty) }
    for item in items { try console.line(line(item)) }
    return 0
  }
}
