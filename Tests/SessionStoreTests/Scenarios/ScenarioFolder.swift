import SessionStore
import TextFormats
@testable import WorkoutTestSupport

/// The scenarios of the repository, found from this file, and scenarios written by tests.
enum ScenarioFolder {
  /// The folder `scenarios` of the repository.
  static let path: String = {
    let parts = #filePath.split(separator: "/").dropLast(4)
    return "/" + parts.joined(separator: "/") + "/scenarios"
  }()

  /// The scenario files in it.
  static let files = (try? ScenarioFiles.find(at: path)) ?? []

  /// The text of a file in it.
  static func text(_ name: String) throws -> String {
    let file = try POSIXFile(reading: "\(path)/\(name)")
    return String(decoding: try file.readAll(maximumBytes: 1 << 20), as: UTF8.self)
  }

  /// What is wrong with a text that should be the scenario `t`; `nil` when nothing is.
  static func problem(_ json: String, name: String = "t") -> String? {
    do throws(JSONError) {
      _ = try Scenario(json: json.utf8.span, name: name, folder: path)
      return nil
    } catch {
      return error.description
    }
  }

  /// What came of a text that should be the scenario `t`.
  static func failures(_ json: String, name: String = "t") throws -> [String] {
    ScenarioVerification.failures(of: try Scenario(json: json.utf8.span, name: name, folder: path))
  }
}

extension String {
  /// The text with every occurrence of another in its place.
  ///
  /// - Precondition: there is at least one.
  func with(_ new: String, for old: String) -> String {
    let parts = self.split(separator: old, omittingEmptySubsequences: false)
    precondition(parts.count > 1, "'\(old)' is not there")
    return parts.joined(separator: new)
  }
}
