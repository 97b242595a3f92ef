/// What stands in the braces of a path, decoded: one or two values.
package struct PathValues: Sendable {
  private var fields: [HTTPField] = []

  /// None.
  package init() {}

  /// Adds the value of a name.
  mutating func add(_ name: String, _ value: String) { fields.append(HTTPField(name, value)) }

  /// The value of a name; `nil` where the path has none.
  package subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }
}
