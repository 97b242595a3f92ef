/// What an answer in JSON looks like, for the description: a schema of JSON Schema 2020-12 with a name, under which others refer to it.
///
/// A program has to take members that it does not know, which newer versions may have. A test holds every answer against its schema, and
/// there none may be missing.
package struct AnswerSchema: Hashable, Sendable {
  /// Its name among the components of the description.
  package let name: String
  /// The schema, as JSON.
  package let text: String

  /// Creates a schema from JSON.
  init(_ name: String, text: String) {
    self.name = name
    self.text = text
  }

  /// A record: an object with a version and a type.
  ///
  /// - Parameters:
  ///   - must: the members that are always there.
  ///   - may: those that are absent where they are not known, or have nothing to say.
  static func record(
    _ name: String, _ type: String, must: [AnswerMember] = [], may: [AnswerMember] = []
  ) -> AnswerSchema {
    let head = [AnswerMember("version", #"{"const":1}"#), AnswerMember("type", #"{"const":"\#(type)"}"#)]
    return AnswerSchema(name, text: AnswerMember.object(must: head + must, may: may))
  }

  /// What refers to it, as JSON.
  var reference: String { ##"{"$ref":"#/components/schemas/\##(name)"}"## }
}

/// A member of an answer.
struct AnswerMember: Hashable, Sendable {
  let name: String
  /// Its schema, as JSON.
  let schema: String

  init(_ name: String, _ schema: String) {
    self.name = name
    self.schema = schema
  }

  private init(_ name: String, type: String, _ words: String) {
    self.init(name, #"{"type":"\#(type)","description":"\#(words)"}"#)
  }

  static func text(_ name: String, _ words: String) -> Self { Self(name, type: "string", words) }
  static func number(_ name: String, _ words: String) -> Self { Self(name, type: "number", words) }
  static func whole(_ name: String, _ words: String) -> Self { Self(name, type: "integer", words) }
  static func flag(_ name: String, _ words: String) -> Self { Self(name, type: "boolean", words) }

  /// A time of day in UTC.
  static func time(_ name: String, _ words: String) -> Self {
    Self(name, #"{"type":"string","format":"date-time","description":"\#(words)"}"#)
  }

  /// A day.
  static func day(_ name: String, _ words: String) -> Self {
    Self(name, #"{"type":"string","format":"date","description":"\#(words)"}"#)
  }

  /// Several of something.
  static func list(_ name: String, _ words: String, of items: String) -> Self {
    Self(name, #"{"type":"array","items":\#(items),"description":"\#(words)"}"#)
  }

  /// Several texts.
  static func texts(_ name: String, _ words: String) -> Self { list(name, words, of: #"{"type":"string"}"#) }

  /// An object whose members all are of one kind, by names that are not fixed.
  static func map(_ name: String, _ words: String, of values: String = #"{"type":"number"}"#) -> Self {
    Self(name, #"{"type":"object","additionalProperties":\#(values),"description":"\#(words)"}"#)
  }

  /// An object of its own.
  static func object(
    _ name: String, must: [AnswerMember] = [], may: [AnswerMember] = []
  ) -> Self { Self(name, object(must: must, may: may)) }

  /// The schema of an object, as JSON.
  static func object(must: [AnswerMember] = [], may: [AnswerMember] = []) -> String {
    let required = must.map { "\"\($0.name)\"" }.joined(separator: ",")
    let members = (must + may).map { "\"\($0.name)\":\($0.schema)" }.joined(separator: ",")
    return #"{"type":"object","required":[\#(required)],"properties":{\#(members)}}"#
  }
}
