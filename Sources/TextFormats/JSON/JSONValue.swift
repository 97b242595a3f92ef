/// A value of a JSON document, and where it was written.
///
/// Two values are equal when their contents are, wherever they stand.
package struct JSONValue: Sendable {
  /// What the value is.
  package let content: JSONContent
  /// Where it begins.
  package let position: JSONPosition

  /// Creates a value.
  package init(_ content: JSONContent, at position: JSONPosition = .none) {
    self.content = content
    self.position = position
  }

  /// The text of a string; `nil` for anything else.
  package var string: String? { if case .string(let text) = content { text } else { nil } }
  /// The number; `nil` for anything else.
  package var number: JSONNumber? { if case .number(let number) = content { number } else { nil } }
  /// The truth value; `nil` for anything else.
  package var bool: Bool? { if case .bool(let value) = content { value } else { nil } }
  /// The elements of an array; `nil` for anything else.
  package var array: [JSONValue]? { if case .array(let elements) = content { elements } else { nil } }
  /// The members of an object in their order; `nil` for anything else.
  package var members: [JSONMember]? { if case .object(let members) = content { members } else { nil } }
  /// Whether the value is `null`.
  package var isNull: Bool { if case .null = content { true } else { false } }

  /// The member of an object with a key; `nil` when there is none.
  ///
  /// - Complexity: O(n)
  package subscript(key: String) -> JSONValue? { members?.first { $0.key == key }?.value }

  /// The type in words, as in "expected a string, found …".
  package var typeName: String {
    switch content {
    case .null: "null"
    case .bool: "a truth value"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// What a JSON value is.
package enum JSONContent: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, as it was written.
  case number(JSONNumber)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object; the members keep their order and no key is there twice.
  case object([JSONMember])
}

/// A member of a JSON object.
package struct JSONMember: Hashable, Sendable {
  /// The name.
  package let key: String
  /// The value.
  package let value: JSONValue
  /// Where the name begins.
  package let keyPosition: JSONPosition

  /// Creates a member.
  package init(_ key: String, _ value: JSONValue, keyPosition: JSONPosition = .none) {
    self.key = key
    self.value = value
    self.keyPosition = keyPosition
  }

  /// Whether two members have the same key and the same content.
  package static func == (left: JSONMember, right: JSONMember) -> Bool {
    left.key == right.key && left.value == right.value
  }

  /// Feeds key and content.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(value)
  }
}

extension JSONValue: Hashable {
  /// Whether two values have the same content.
  package static func == (left: JSONValue, right: JSONValue) -> Bool { left.content == right.content }

  /// Feeds the content.
  package func hash(into hasher: inout Hasher) { hasher.combine(content) }
}

/// A JSON number as it was written; equal when the texts are.
package struct JSONNumber: Hashable, Sendable {
  /// The text, which is a JSON number within the range of a double.
  package let text: String

  init(checked text: String) { self.text = text }

  /// Creates the number of a whole number.
  package init(_ value: Int64) { text = String(value) }

  /// Creates the number of a double, by its shortest text.
  ///
  /// - Precondition: `value` is finite.
  package init(_ value: Double) {
    var bytes: [UInt8] = []
    DecimalFormat.appendShortest(value, to: &bytes)
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// The nearest double.
  package var double: Double {
    guard let value = DecimalText.double(from: text.utf8.span) else {
      preconditionFailure("a JSON number was checked to be finite")
    }
    return value
  }

  /// The exact value when it is a whole number that fits; `142.0` and `1e3` are whole numbers.
  package var int64: Int64? { DecimalText(text.utf8.span)?.exactInt64 }

  /// The number taken for seconds, as nanoseconds rounded half away from zero; `nil` when they do not fit.
  package var nanoseconds: Int64? { DecimalText.exactNanoseconds(from: text.utf8.span) }
}
