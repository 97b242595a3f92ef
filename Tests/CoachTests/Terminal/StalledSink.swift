import TextFormats
@testable import coach

/// A terminal that takes what it is to take, and nothing else.
final class StalledSink: TerminalSink {
  var isBehind = false
  /// Whether it takes anything.
  var hasRoom = true
  /// What it took.
  var text = ""

  func take(_ bytes: Span<UInt8>) throws(FileError) -> Bool {
    guard hasRoom else { return false }
    text += String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    return true
  }

  func drain() -> Bool { hasRoom }
}
