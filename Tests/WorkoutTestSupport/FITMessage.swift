/// A message of a FIT file: its number, and the bytes of its fields; those of developers from 1,000 on.
struct FITMessage {
  let number: Int
  var fields: [Int: [UInt8]] = [:]

  /// A whole number, low byte first.
  func value(_ field: Int) -> Int? { fields[field]?.reversed().reduce(0) { $0 << 8 | Int($1) } }

  func text(_ field: Int) -> String? {
    fields[field].map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// A message of a local number that nothing defines.
  struct Undefined: Error {
    let place: Int
  }

  /// The messages of a file that coach writes, read by the protocol alone and by nothing of the product.
  static func all(in bytes: [UInt8]) throws -> [FITMessage] {
    typealias Definition = (number: Int, fields: [(number: Int, size: Int)])
    var definitions: [UInt8: Definition] = [:]
    var messages: [FITMessage] = []
    var place = Int(bytes[0])
    func word(_ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }
    while place < bytes.count - 2 {
      let head = bytes[place]
      place += 1
      if head & 0x40 != 0 {
        var definition: Definition = (word(place + 2), [])
        var count = Int(bytes[place + 4])
        place += 5
        for base in head & 0x20 == 0 ? [0] : [0, 1_000] {
          if base > 0 {
            count = Int(bytes[place])
            place += 1
          }
          for _ in 0..<count {
            definition.fields.append((base + Int(bytes[place]), Int(bytes[place + 1])))
            place += 3
          }
        }
        definitions[head & 0x0F] = definition
      } else {
        guard let definition = definitions[head & 0x0F] else { throw Undefined(place: place) }
        var message = FITMessage(number: definition.number)
        for field in definition.fields {
          message.fields[field.number] = Array(bytes[place..<place + field.size])
          place += field.size
        }
        messages.append(message)
      }
    }
    return messages
  }
}
