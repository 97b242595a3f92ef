/// What a JSON value has to be, and how it becomes a value of the program.
package struct JSONField<Value>: Sendable {
  /// The words after "expected": `a string`, `a whole number in 5…110`.
  package let expected: String
  private let decode: @Sendable (JSONValue, JSONPath, JSONPath.Component?) throws(JSONError) -> Value

  /// Creates a field whose value is what `decode` makes of it, `nil` for a value that is not allowed.
  package init(_ expected: String, _ decode: @escaping @Sendable (JSONValue) -> Value?) {
    self.expected = expected
    self.decode = { (value, parent, component) throws(JSONError) in
      if let decoded = decode(value) { return decoded }
      throw Self.mismatch(value, expected, parent.appending(component))
    }
  }

  /// Creates a field whose value is what `decode` makes of it at its path.
  package init(
    _ expected: String, nested decode: @escaping @Sendable (JSONValue, JSONPath) throws(JSONError) -> Value
  ) {
    self.expected = expected
    self.decode = { (value, parent, component) throws(JSONError) in try decode(value, parent.appending(component)) }
  }

  /// Reads a value that stands at `path`.
  ///
  /// - Throws: `JSONError` when the value is not as this field wants it.
  package func read(_ value: JSONValue, at path: JSONPath = .root) throws(JSONError) -> Value {
    try decode(value, path, nil)
  }

  /// Reads a value one step below `parent`; the whole path is put together only for an error or an inner object.
  func read(_ value: JSONValue, at parent: JSONPath, _ component: JSONPath.Component) throws(JSONError) -> Value {
    try decode(value, parent, component)
  }

  /// The same field made into another type; where `transform` gives `nil`, `expected` is what should have been.
  package func mapped<Other>(
    to expected: String, _ transform: @escaping @Sendable (Value) -> Other?
  ) -> JSONField<Other> {
    JSONField<Other>(expected) { (value, path) throws(JSONError) in
      if let other = transform(try self.read(value, at: path)) { return other }
      throw JSONField.mismatch(value, expected, path)
    }
  }

  private init(
    _ expected: String, _ decode: @escaping @Sendable (JSONValue, JSONPath) throws(JSONError) -> Value
  ) {
    self.init(expected, nested: decode)
  }

  private static func mismatch(_ value: JSONValue, _ expected: String, _ path: JSONPath) -> JSONError {
    let problem: JSONError.Problem =
      switch value.content {
      case .null, .bool, .array, .object: .wrongType(value.typeName)
      case .string(let text): .notAllowed(JSONError.quoted(text))
      case .number(let number): .notAllowed(JSONError.brief(number.text))
      }
    return JSONError(problem, expected: expected, at: value.position, path: path)
  }
}

extension JSONPath {
  fileprivate func appending(_ component: Component?) -> JSONPath {
    switch component {
    case nil: self
    case .key(let key): appending(key: key)
    case .index(let index): appending(index: index)
    }
  }
}

extension JSONField where Value == JSONValue {
  /// Any value, as it is.
  package static var any: JSONField { JSONField("a value") { $0 } }
}

extension JSONField where Value == String {
  /// Any string.
  package static var string: JSONField { JSONField("a string") { $0.string } }
  /// A string that is not empty.
  package static var nonEmptyString: JSONField {
    JSONField("a string that is not empty") { value in value.string.flatMap { $0.isEmpty ? nil : $0 } }
  }
}

extension JSONField where Value == Bool {
  /// `true` or `false`.
  package static var bool: JSONField { JSONField("true or false") { $0.bool } }
}

extension JSONField where Value == Int {
  /// A whole number.
  package static var int: JSONField { JSONField("a whole number") { $0.number?.int64.map(Int.init) } }
  /// A whole number within `range`.
  package static func int(in range: ClosedRange<Int>) -> JSONField {
    JSONField("a whole number in \(range.lowerBound)…\(range.upperBound)") { value in
      value.number?.int64.flatMap { range.contains(Int($0)) ? Int($0) : nil }
    }
  }
}

extension JSONField where Value == Int64 {
  /// A whole number.
  package static var int64: JSONField { JSONField("a whole number") { $0.number?.int64 } }
  /// Seconds within `range`, as exact nanoseconds.
  package static func nanosecondsFromSeconds(in range: ClosedRange<Int64>) -> JSONField {
    let name = "seconds in \(range.lowerBound)…\(range.upperBound)"
    return JSONField(name) { value in
      value.number?.nanoseconds.flatMap { nanoseconds in
        let second: Int64 = 1_000_000_000
        return nanoseconds >= range.lowerBound.clampedProduct(second)
          && nanoseconds <= range.upperBound.clampedProduct(second) ? nanoseconds : nil
      }
    }
  }
}

extension Int64 {
  fileprivate func clampedProduct(_ factor: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? (self < 0 ? .min : .max) : product
  }
}

extension JSONField where Value == Double {
  /// Any number.
  package static var double: JSONField { JSONField("a number") { $0.number?.double } }
  /// A number within `range`.
  package static func double(in range: ClosedRange<Double>) -> JSONField {
    JSONField("a number in \(JSONNumber(range.lowerBound).text)…\(JSONNumber(range.upperBound).text)") { value in
      value.number.flatMap { range.contains($0.double) ? $0.double : nil }
    }
  }
}

extension JSONField where Value == WallClockTimeText {
  /// A date with a time of day.
  package static var time: JSONField {
    JSONField("an ISO 8601 time such as 2026-11-20T07:00:00Z") { value in
      value.string.flatMap { WallClockTimeText(iso8601: $0) }
    }
  }
}

extension JSONField where Value == CivilDate {
  /// A date.
  package static var date: JSONField {
    JSONField("a date such as 1990-05-17") { value in value.string.flatMap { CivilDate(iso8601: $0) } }
  }
}

extension JSONField where Value: Sendable {
  /// One of some words, each of which stands for a value.
  package static func word(_ choices: KeyValuePairs<String, Value>) -> JSONField {
    let choices = choices.map { (word: $0.key, value: $0.value) }
    return JSONField("one of " + choices.map { "\"\($0.word)\"" }.joined(separator: ", ")) { value in
      value.string.flatMap { text in choices.first { $0.word == text }?.value }
    }
  }
}

extension JSONField {
  /// An array of `element`s whose number is within `count`.
  package static func array<Element>(
    of element: JSONField<Element>, count: ClosedRange<Int> = 0...Int.max
  ) -> JSONField where Value == [Element] {
    let bounds =
      count == 0...Int.max
      ? "" : " with \(count.lowerBound)…\(count.upperBound == .max ? "" : String(count.upperBound)) elements"
    let expected = "an array" + bounds
    return JSONField(expected) { (value, path) throws(JSONError) in
      guard let elements = value.array else { throw mismatch(value, expected, path) }
      guard count.contains(elements.count) else {
        throw JSONError(.notAllowed("\(elements.count)"), expected: expected, at: value.position, path: path)
      }
      var result: [Element] = []
      result.reserveCapacity(elements.count)
      for (index, item) in elements.enumerated() { result.append(try element.read(item, at: path, .index(index))) }
      return result
    }
  }

  /// An object whose members `read` asks for; `finish()` is called after it.
  package static func object(
    _ read: @escaping @Sendable (inout JSONObjectReader) throws(JSONError) -> Value
  ) -> JSONField {
    JSONField("an object") { (value, path) throws(JSONError) in
      var reader = try JSONObjectReader(value, path: path)
      let result = try read(&reader)
      try reader.finish()
      return result
    }
  }
}
