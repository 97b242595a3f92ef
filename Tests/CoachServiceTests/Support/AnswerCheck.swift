@testable import CoachService
import TextFormats

/// Holds answers against the schemas of the description, by the few keywords that these have. A member that no schema names is a fault,
/// too: a program could not know what it is.
struct AnswerCheck {
  private let schemas: [String: JSONValue]

  /// Takes the schemas out of a description.
  init(_ document: JSONValue) {
    schemas = Dictionary(
      (document["components"]?["schemas"]?.members ?? []).map { ($0.key, $0.value) },
      uniquingKeysWith: { first, _ in first })
  }

  /// What is wrong with a value; nothing where it is as its schema says.
  func faults(_ value: JSONValue, _ schema: JSONValue, at path: String = "") -> [String] {
    if let isAllowed = schema.bool { return isAllowed ? [] : ["\(path): nothing may stand here"] }
    if let reference = schema["$ref"]?.string {
      let name = reference.split(separator: "/").last.map(String.init) ?? ""
      guard let known = schemas[name] else { return ["\(path): there is no schema \(reference)"] }
      return faults(value, known, at: path)
    }
    if let choices = schema["anyOf"]?.array {
      let all = choices.map { faults(value, $0, at: path) }
      // Of records that with the type in question says most.
      return all.contains([]) ? [] : all.max { rank($0) < rank($1) } ?? ["\(path): nothing to choose from"]
    }
    if let only = schema["const"] { return value == only ? [] : ["\(path): another value: \(value.content)"] }
    guard types(of: schema).contains(where: { isOf($0, value) }) else {
      return ["\(path): \(value.typeName), expected \(types(of: schema))"]
    }
    if let elements = value.array {
      if let most = schema["maxItems"]?.number?.int64, elements.count > Int(most) { return ["\(path): too many"] }
      guard let items = schema["items"] else { return elements.isEmpty ? [] : ["\(path): elements of no schema"] }
      return elements.flatMap { faults($0, items, at: path + "[]") }
    }
    guard let members = value.members else { return [] }
    let missing = (schema["required"]?.array ?? []).compactMap(\.string).filter { value[$0] == nil }
    return missing.map { "\(path)/\($0): it is missing" }
      + members.flatMap { member -> [String] in
        let place = path + "/" + member.key
        guard let own = schema["properties"]?[member.key] ?? schema["additionalProperties"] else {
          return ["\(place): it is not described"]
        }
        return faults(member.value, own, at: place)
      }
  }

  /// How near faults are to none: that of another type is the farthest.
  private func rank(_ faults: [String]) -> Int { faults.contains { $0.contains("/type: ") } ? -1_000 : -faults.count }

  private func types(of schema: JSONValue) -> [String] {
    schema["type"]?.string.map { [$0] } ?? schema["type"]?.array?.compactMap(\.string) ?? []
  }

  private func isOf(_ type: String, _ value: JSONValue) -> Bool {
    switch type {
    case "object": value.members != nil
    case "array": value.array != nil
    case "string": value.string != nil
    case "boolean": value.bool != nil
    case "null": value.isNull
    case "integer": value.number?.int64 != nil
    default: value.number != nil
    }
  }
}
