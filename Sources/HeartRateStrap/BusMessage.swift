internal import CSystemd

/// A message that came over the bus, while it is read.
///
/// Whatever is not what was expected is absent: other programs write these.
@safe
struct BusMessage: ~Copyable {
  private let message: OpaquePointer
  private let library: BusLibrary

  /// Takes over a message, which is let go of afterwards.
  init(_ message: OpaquePointer, _ library: BusLibrary) {
    unsafe self.message = message
    self.library = library
  }

  deinit { _ = unsafe library.functions.pointee.message_unref(message) }

  /// The kinds that are used.
  enum Kind { case answer, error, signal, other }

  /// What it is.
  var kind: Kind {
    var type: UInt8 = 0
    _ = unsafe library.functions.pointee.message_get_type(message, &type)
    switch Int(type) {
    case Int(SD_BUS_MESSAGE_METHOD_RETURN): return .answer
    case Int(SD_BUS_MESSAGE_METHOD_ERROR): return .error
    case Int(SD_BUS_MESSAGE_SIGNAL): return .signal
    default: return .other
    }
  }

  /// The number of the call that it answers; 0 when it answers none.
  var answeredCall: UInt64 {
    var cookie: UInt64 = 0
    _ = unsafe library.functions.pointee.message_get_reply_cookie(message, &cookie)
    return cookie
  }

  /// Who sent it, by the name that the bus gave.
  var sender: String { unsafe Self.text(library.functions.pointee.message_get_sender(message)) }
  /// The object that it is about.
  var path: String { unsafe Self.text(library.functions.pointee.message_get_path(message)) }
  /// Its name, with its interface.
  var member: String {
    let interface = unsafe Self.text(library.functions.pointee.message_get_interface(message))
    let member = unsafe Self.text(library.functions.pointee.message_get_member(message))
    return interface + "." + member
  }

  /// The error that it is.
  var error: BluezError {
    guard let error = unsafe library.functions.pointee.message_get_error(message) else { return BluezError(.other) }
    return unsafe BluezError(name: Self.text(error.pointee.name), words: Self.text(error.pointee.message))
  }

  /// The next value, which is a text or the path of an object.
  func text(_ type: Character = "s") -> String {
    var pointer: UnsafePointer<CChar>?
    guard unsafe library.functions.pointee.message_read_basic(message, Self.code(type), &pointer) > 0 else { return "" }
    return unsafe Self.text(pointer)
  }

  /// The next value, which is an array of texts or of paths.
  func texts(_ type: Character = "s") -> [String] {
    var texts: [String] = []
    within("a", String(type)) { while !isAtEnd { texts.append(text(type)) } }
    return texts
  }

  /// The next value, which is an array of bytes.
  func bytes() -> [UInt8] {
    var pointer: UnsafeRawPointer?
    var count = 0
    let status = unsafe library.functions.pointee.message_read_array(message, Self.code("y"), &pointer, &count)
    guard status > 0, let pointer = unsafe pointer else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: pointer, count: count))
  }

  /// The next value, which is a dictionary of objects.
  func objects() -> [String: [String: BluezProperties]] {
    var objects: [String: [String: BluezProperties]] = [:]
    entries("oa{sa{sv}}") {
      let path = text("o")
      objects[path] = interfaces()
    }
    return objects
  }

  /// The next value, which is a dictionary of interfaces.
  func interfaces() -> [String: BluezProperties] {
    var interfaces: [String: BluezProperties] = [:]
    entries("sa{sv}") {
      let name = text()
      interfaces[name] = properties()
    }
    return interfaces
  }

  /// The next value, which is a dictionary of properties.
  func properties() -> BluezProperties {
    var properties: BluezProperties = [:]
    entries("sv") {
      let name = text()
      properties[name] = variant()
    }
    return properties
  }

  private func variant() -> BluezValue {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard unsafe library.functions.pointee.message_peek_type(message, &type, &contents) > 0 else { return .other }
    let signature = unsafe Self.text(contents)
    var value = BluezValue.other
    within("v", signature) {
      switch signature {
      case "b": value = number(Int32.self, "b").map { .bool($0 != 0) } ?? .other
      case "y": value = number(UInt8.self, "y").map { .integer(Int64($0)) } ?? .other
      case "n": value = number(Int16.self, "n").map { .integer(Int64($0)) } ?? .other
      case "q": value = number(UInt16.self, "q").map { .integer(Int64($0)) } ?? .other
      case "i": value = number(Int32.self, "i").map { .integer(Int64($0)) } ?? .other
      case "u": value = number(UInt32.self, "u").map { .integer(Int64($0)) } ?? .other
      case "x": value = number(Int64.self, "x").map { .integer($0) } ?? .other
      case "s": value = .text(text())
      case "o": value = .text(text("o"))
      case "as": value = .texts(texts())
      case "ay": value = .bytes(bytes())
      default: _ = unsafe library.functions.pointee.message_skip(message, signature)
      }
    }
    return value
  }

  private func number<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type, _ type: Character) -> Number? {
    var number = Number.zero
    return unsafe library.functions.pointee.message_read_basic(message, Self.code(type), &number) > 0 ? number : nil
  }

  /// Reads every entry of a dictionary.
  private func entries(_ contents: String, _ body: () -> Void) {
    within("a", "{\(contents)}") {
      while !isAtEnd {
        guard within("e", contents, body) else { return }
      }
    }
  }

  /// Reads what is in a container; whether there was one.
  @discardableResult
  private func within(_ type: Character, _ contents: String, _ body: () -> Void) -> Bool {
    guard unsafe library.functions.pointee.message_enter_container(message, Self.code(type), contents) > 0 else {
      return false
    }
    body()
    return unsafe library.functions.pointee.message_exit_container(message) >= 0
  }

  private var isAtEnd: Bool {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    return unsafe library.functions.pointee.message_peek_type(message, &type, &contents) <= 0
  }

  private static func code(_ type: Character) -> CChar { CChar(type.asciiValue ?? 0) }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    guard let pointer = unsafe pointer else { return "" }
    return unsafe String(cString: pointer)
  }
}
