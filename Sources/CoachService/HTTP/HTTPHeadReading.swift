internal import CMicroHTTPD
internal import Glibc

extension HTTPHead {
  /// Takes the head of a request from the library.
  ///
  /// - Parameter previous: the head of the request before on the connection, whose texts are shared where this one says the same;
  ///   `nil` for the first.
  convenience init(
    _ library: HTTPLibrary, _ connection: HTTPConnection, method: UnsafePointer<CChar>?, path: UnsafePointer<CChar>?,
    after previous: HTTPHead?
  ) {
    let method = unsafe Self.text(method, sharing: previous?.method)
    let path = unsafe Self.text(path, sharing: previous?.path)
    var headers = FieldReading(after: previous?.headers ?? [])
    headers.read(.HEADER_KIND, of: connection, library)
    var query = FieldReading(after: [])
    query.read(.GET_ARGUMENT_KIND, of: connection, library)
    let places = headers.sharesNames ? previous?.usual : nil
    self.init(
      method: method, path: path, query: query.fields, headers: headers.fields,
      places: places ?? UsualHeader.Places(headers.fields),
      client: previous?.client ?? Self.client(of: connection, library),
      byteCount: method.utf8.count + path.utf8.count + 12 + headers.byteCount + query.byteCount)
  }

  private static func text(_ pointer: UnsafePointer<CChar>?, sharing known: String?) -> String {
    guard let pointer = unsafe pointer else { return "" }
    let bytes = unsafe UnsafeRawBufferPointer(start: pointer, count: strlen(pointer))
    if let known, unsafe known.isEqual(toUTF8: bytes) { return known }
    return unsafe String(decoding: bytes, as: UTF8.self)
  }

  private static func client(of connection: HTTPConnection, _ library: HTTPLibrary) -> HTTPClient {
    guard
      let address = unsafe withUnsafePointer(to: library.functions, { unsafe coach_mhd_client($0, connection.pointer) })
    else {
      return .text("")
    }
    if unsafe address.pointee.sa_family == sa_family_t(AF_INET) {
      return unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
        .ipv4(UInt32(bigEndian: unsafe address.pointee.sin_addr.s_addr))
      }
    }
    // An address of IPv6 with the name of an interface, and a zero.
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN) + Int(IF_NAMESIZE) + 1)
    let length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let code = unsafe getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
    guard code == 0 else { return .text("") }
    return .text(unsafe text.withUnsafeBufferPointer { unsafe $0.baseAddress.map { unsafe String(cString: $0) } } ?? "")
  }
}

/// Takes fields from the library, and those of the request before where they are the same.
private struct FieldReading {
  private let known: [HTTPField]
  private var count = 0
  private var isShared = true
  private var new: [HTTPField] = []
  private(set) var sharesNames = true
  /// How many bytes they have as they were sent.
  private(set) var byteCount = 0

  init(after known: [HTTPField]) { self.known = known }

  /// The fields, in their order.
  var fields: [HTTPField] { isShared ? known : new }

  mutating func read(_ kind: MHD_ValueKind, of connection: HTTPConnection, _ library: HTTPLibrary) {
    unsafe withUnsafeMutablePointer(to: &self) { reading in
      _ = unsafe library.functions.get_connection_values_n(
        connection.pointer, kind,
        { context, _, name, nameCount, value, valueCount in
          guard let context = unsafe context else { return .NO }
          unsafe context.assumingMemoryBound(to: FieldReading.self).pointee.add(
            UnsafeRawBufferPointer(start: name, count: nameCount),
            UnsafeRawBufferPointer(start: value, count: valueCount))
          return .YES
        }, UnsafeMutableRawPointer(reading))
    }
    if count < known.count { leave(known.count) }
  }

  private mutating func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    let place = count
    count += 1
    byteCount += name.count + value.count + 4
    let sharesName = place < known.count ? unsafe known[place].name.isEqual(toUTF8: name) : false
    if sharesName, unsafe known[place].value.isEqual(toUTF8: value) {
      if !isShared { new.append(known[place]) }
      return
    }
    leave(place, keepingNames: sharesName)
    let text = unsafe String(decoding: value, as: UTF8.self)
    new.append(unsafe HTTPField(sharesName ? known[place].name : String(decoding: name, as: UTF8.self), text))
  }

  /// Says that not all fields are those of the request before.
  private mutating func leave(_ place: Int, keepingNames: Bool = false) {
    if isShared {
      new.reserveCapacity(known.isEmpty ? 8 : known.count)
      new += known[..<min(count, place)]
      isShared = false
    }
    if !keepingNames { sharesNames = false }
  }
}

extension String {
  /// Whether the text is made of some bytes.
  fileprivate func isEqual(toUTF8 bytes: UnsafeRawBufferPointer) -> Bool {
    guard utf8.count == bytes.count else { return false }
    guard let start = bytes.baseAddress, bytes.count > 0 else { return true }
    return unsafe utf8Span.span.withUnsafeBytes { text in
      unsafe text.baseAddress.map { unsafe memcmp($0, start, bytes.count) == 0 } ?? false
    }
  }
}
