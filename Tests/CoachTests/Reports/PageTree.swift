private import CExpat
import Testing

/// An element of a page, as expat reads it.
final class PageNode {
  let name: String
  let attributes: [String: String]
  fileprivate(set) var children: [PageNode] = []
  /// The text of the element and of everything in it.
  fileprivate(set) var text = ""

  fileprivate init(name: String, attributes: [String: String]) {
    self.name = name
    self.attributes = attributes
  }

  /// The element and everything in it, in the order of their beginnings.
  var all: [PageNode] { [self] + children.flatMap(\.all) }

  /// The elements of a name, of a class where one is asked for.
  func elements(_ name: String, class wanted: String? = nil) -> [PageNode] {
    all.filter { node in
      node.name == name
        && (wanted.map { (node.attributes["class"] ?? "").split(separator: " ").contains(Substring($0)) } ?? true)
    }
  }

  /// The element with an identity.
  func element(id: String) -> PageNode? { all.first { $0.attributes["id"] == id } }

  /// The rows of a table: the texts of its cells.
  var rows: [[String]] {
    elements("tbody").flatMap(\.children).map { row in row.children.map(\.text) }
  }
}

/// Reads a page by expat, which accepts nothing that is not well-formed.
enum PageTree {
  private struct NoPage: Error {}

  private final class Reader {
    var open: [PageNode] = []
    var root: PageNode?
  }

  /// The outermost element.
  static func read(_ bytes: [UInt8]) throws -> PageNode {
    guard let parser = unsafe XML_ParserCreate("UTF-8") else { throw NoPage() }
    defer { unsafe XML_ParserFree(parser) }
    let reader = Reader()
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(reader).toOpaque())
    unsafe XML_SetElementHandler(
      parser,
      { user, name, attributes in
        guard let user = unsafe user, let name = unsafe name else { return }
        let reader = unsafe Unmanaged<Reader>.fromOpaque(user).takeUnretainedValue()
        var found: [String: String] = [:]
        var index = 0
        while let attributes = unsafe attributes, let key = unsafe attributes[index],
          let value = unsafe attributes[index + 1]
        {
          unsafe found[String(cString: key)] = String(cString: value)
          index += 2
        }
        let node = PageNode(name: unsafe String(cString: name), attributes: found)
        reader.open.last?.children.append(node)
        if reader.root == nil { reader.root = node }
        reader.open.append(node)
      },
      { user, _ in
        guard let user = unsafe user else { return }
        unsafe Unmanaged<Reader>.fromOpaque(user).takeUnretainedValue().open.removeLast()
      })
    unsafe XML_SetCharacterDataHandler(parser) { user, text, count in
      guard let user = unsafe user, let text = unsafe text else { return }
      let bytes = unsafe UnsafeBufferPointer(start: text, count: Int(count)).map { UInt8(bitPattern: $0) }
      let reader = unsafe Unmanaged<Reader>.fromOpaque(user).takeUnretainedValue()
      for node in reader.open { node.text += String(decoding: bytes, as: UTF8.self) }
    }
    let status = unsafe bytes.withUnsafeBytes { buffer in
      unsafe XML_Parse(parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), 1)
    }
    let line = unsafe XML_GetCurrentLineNumber(parser)
    try #require(status == XML_STATUS_OK, "not well-formed in line \(line)")
    return try #require(reader.root)
  }
}
