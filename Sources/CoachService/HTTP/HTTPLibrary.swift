internal import CMicroHTTPD

/// A connection of the library.
@safe
struct HTTPConnection: Hashable, @unchecked Sendable {
  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

  static func == (left: HTTPConnection, right: HTTPConnection) -> Bool { unsafe left.pointer == right.pointer }

  func hash(into hasher: inout Hasher) { unsafe hasher.combine(pointer) }
}

/// The functions of libmicrohttpd, once it is opened.
@safe
struct HTTPLibrary: @unchecked Sendable {
  let functions: coach_mhd

  private init(_ functions: coach_mhd) { self.functions = functions }

  /// Opens the library; `nil` when it is not there.
  static let shared: HTTPLibrary? = {
    var functions = coach_mhd()
    guard unsafe coach_mhd_open(&functions) != 0 else { return nil }
    return HTTPLibrary(functions)
  }()

  func suspend(_ connection: HTTPConnection) { unsafe functions.suspend_connection(connection.pointer) }
  func resume(_ connection: HTTPConnection) { unsafe functions.resume_connection(connection.pointer) }

  /// An answer with a body, which is copied; `nil` when there is no room for it. Whoever makes it destroys it.
  func makeResponse(_ body: [UInt8]) -> OpaquePointer? {
    unsafe body.withUnsafeBytes { buffer in
      unsafe functions.create_response_from_buffer(
        buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress ?? UnsafeRawPointer(bitPattern: 1)),
        .RESPMEM_MUST_COPY)
    }
  }

  /// Adds headers to an answer; `false` when one cannot be added.
  func add(_ headers: [HTTPField], to response: OpaquePointer) -> Bool {
    headers.allSatisfy { field in
      unsafe field.name.withCString { name in
        unsafe field.value.withCString { unsafe functions.add_response_header(response, name, $0) == .YES }
      }
    }
  }
}
