import Foundation
import Testing

/// A picture that is kept beside the tests, to be looked at.
///
/// It changes only when `COACH_KEEP_PICTURE` names it; one that is missing is written, and the test fails once.
enum KeptPicture {
  /// Compares a picture with the one that is kept.
  static func expect(_ text: String, named name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Pictures")
    let file = folder.appendingPathComponent(name + ".txt")
    let isAsked = ProcessInfo.processInfo.environment["COACH_KEEP_PICTURE"] == name
    guard let kept = try? String(contentsOf: file, encoding: .utf8), !isAsked else {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
      #expect(isAsked, "\(name) was not there: look at it", sourceLocation: sourceLocation)
      return
    }
    #expect(text == kept, "\(name):\n\(text)", sourceLocation: sourceLocation)
  }
}
