package import TextFormats
package import ZoneEngine

extension FeedbackStrategy {
  /// A strategy as on a command line, in a file.
  package static var specificationField: JSONField<FeedbackStrategy> {
    JSONField<FeedbackStrategy>("a strategy") { (value, path) throws(JSONError) in
      let text = try JSONField<String>.nonEmptyString.read(value, at: path)
      do throws(ZoneError) {
        return try FeedbackStrategy(specification: text)
      } catch {
        throw JSONError(.notAllowed("\(error)"), expected: "a strategy that exists", at: value.position, path: path)
      }
    }
  }
}
