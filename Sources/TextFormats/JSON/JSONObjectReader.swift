/// Reads the members of a JSON object strictly: every member is asked for, or `finish()` throws.
///
/// ```swift
/// var reader = try JSONObjectReader(document)
/// let name = try reader.required("name", .string)
/// let age = try reader.optional("age", .int(in: 5...110))
/// try reader.finish()
/// ```
package struct JSONObjectReader: Sendable {
  /// Where the object stands.
  package let path: JSONPath
  /// Where the object begins in the text.
  package let position: JSONPosition
  private let members: [JSONMember]
  private var askedKeys: [String] = []
  private var found = 0

  /// Creates a reader of the object at `path`.
  ///
  /// - Throws: `JSONError` when the value is no object.
  package init(_ value: JSONValue, path: JSONPath = .root) throws(JSONError) {
    guard let members = value.members else {
      throw JSONError(.wrongType(value.typeName), expected: "an object", at: value.position, path: path)
    }
    self.members = members
    self.path = path
    position = value.position
    askedKeys.reserveCapacity(members.count)
  }

  /// Whether the object has a member, without asking for it.
  package func has(_ key: String) -> Bool { members.contains { $0.key == key } }

  /// The value of a member that has to be there.
  ///
  /// - Throws: `JSONError` when it is missing or not as `field` wants it.
  package mutating func required<Value>(_ key: String, _ field: JSONField<Value>) throws(JSONError) -> Value {
    guard let value = take(key) else {
      throw JSONError(.missingKey, expected: field.expected, at: position, path: path.appending(key: key))
    }
    return try field.read(value, at: path, .key(key))
  }

  /// The value of a member, `nil` when it is absent. `null` is not absent.
  ///
  /// - Throws: `JSONError` when it is there and not as `field` wants it.
  package mutating func optional<Value>(_ key: String, _ field: JSONField<Value>) throws(JSONError) -> Value? {
    guard let value = take(key) else { return nil }
    return try field.read(value, at: path, .key(key))
  }

  /// Asks for a member without reading it.
  package mutating func ignore(_ key: String) { _ = take(key) }

  /// Ends the reading.
  ///
  /// - Throws: `JSONError` about the first member that was never asked for.
  package func finish() throws(JSONError) {
    guard found < members.count, let member = members.first(where: { !askedKeys.contains($0.key) }) else { return }
    let absent = askedKeys.filter { !has($0) }
    throw .unknownKey(member.key, known: absent, at: member.keyPosition, path: path.appending(key: member.key))
  }

  /// An error about a member, or about the whole object when it has no such member.
  package func error(_ problem: JSONError.Problem, expected: String, about key: String) -> JSONError {
    let member = members.first { $0.key == key }
    return JSONError(
      problem, expected: expected, at: member?.value.position ?? position, path: path.appending(key: key))
  }

  private mutating func take(_ key: String) -> JSONValue? {
    let isNew = !askedKeys.contains(key)
    if isNew { askedKeys.append(key) }
    for member in members where member.key == key {
      if isNew { found += 1 }
      return member.value
    }
    return nil
  }
}
