internal import CMicroHTTPD
internal import Glibc

extension HTTPHead {
  /// Takes the head of a request from the library.
  init(
    _ library: HTTPLibrary, _ connection: HTTPConnection, method: UnsafePointer<CChar>?, path: UnsafePointer<CChar>?
  ) {
    let method = unsafe method.map { unsafe String(cString: $0) } ?? ""
    let path = unsafe path.map { unsafe String(cString: $0) } ?? ""
    let headers = Self.fields(.HEADER_KIND, of: connection, library)
    let query = Self.fields(.GET_ARGUMENT_KIND, of: connection, library)
    var byteCount = method.utf8.count + path.utf8.count + 12
    for field in headers { byteCount += field.name.utf8.count + field.value.utf8.count + 4 }
    for field in query { byteCount += field.name.utf8.count + field.value.utf8.count + 4 }
    self.init(
      method: method, path: path, query: query, headers: headers, client: Self.client(of: connection, library),
      byteCount: byteCount)
  }

  private final class Fields {
    var fields: [HTTPField] = []
  }

  private static func fields(
    _ kind: MHD_ValueKind, of connection: HTTPConnection, _ library: HTTPLibrary
  ) -> [HTTPField] {
    let fields = Fields()
    if kind == .HEADER_KIND { fields.fields.reserveCapacity(8) }
    _ = unsafe library.functions.get_connection_values_n(
      connection.pointer, kind,
      { context, _, name, nameCount, value, valueCount in
        guard let context = unsafe context else { return .NO }
        let fields = unsafe Unmanaged<Fields>.fromOpaque(context).takeUnretainedValue()
        fields.fields.append(
          unsafe HTTPField(
            String(decoding: UnsafeRawBufferPointer(start: name, count: nameCount), as: UTF8.self),
            String(decoding: UnsafeRawBufferPointer(start: value, count: valueCount), as: UTF8.self)))
        return .YES
      }, Unmanaged.passUnretained(fields).toOpaque())
    return fields.fields
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
