internal import CMicroHTTPD
internal import Synchronization

/// An answer that many requests get, so that it is made once: its bytes and all of its headers.
@safe
package final class PreparedAnswer: Sendable {
  /// What the library made of it. The library counts for itself who uses it still.
  @safe
  private struct Made: @unchecked Sendable {
    let library: HTTPLibrary
    let pointer: OpaquePointer

    init(_ library: HTTPLibrary, _ pointer: OpaquePointer) {
      self.library = library
      unsafe self.pointer = pointer
    }
  }

  /// The answer as it is.
  package let response: HTTPResponse
  private let made = Mutex<Made?>(nil)

  /// Prepares an answer, which has bytes and is no stream.
  package init(_ response: HTTPResponse) { self.response = response }

  deinit {
    if let made = made.withLock({ $0 }) { unsafe made.library.functions.destroy_response(made.pointer) }
  }

  /// Gives what the library made of it to `body`; `nil` when it cannot be made.
  func withMade<Value>(by library: HTTPLibrary, _ body: (OpaquePointer) -> Value) -> Value? {
    made.withLock { made in
      if made == nil { unsafe made = make(library).map { unsafe Made(library, $0) } }
      guard let made else { return nil }
      return unsafe body(made.pointer)
    }
  }

  private func make(_ library: HTTPLibrary) -> OpaquePointer? {
    guard case .bytes(let bytes) = response.content, let made = unsafe library.makeResponse(bytes) else { return nil }
    guard unsafe library.add(response.headers, to: made) else {
      unsafe library.functions.destroy_response(made)
      return nil
    }
    return unsafe made
  }
}
