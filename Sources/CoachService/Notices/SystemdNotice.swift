private import Glibc
internal import TextFormats

/// Who started the service, where that wants to know how it stands: systemd with `Type=notify` listens at a socket.
package struct SystemdNotice: Sendable {
  /// What it is to know.
  package enum State: String, CaseIterable, Hashable, Sendable {
    /// The service takes requests.
    case ready = "READY=1"
    /// The service is about to end.
    case stopping = "STOPPING=1"
  }

  private let place: String

  /// Who is named by a value of `NOTIFY_SOCKET`: a path, or a name behind `@`; `nil` where there is nobody.
  package init?(socket place: String?) {
    guard let place, place.hasPrefix("/") || place.hasPrefix("@"), (2...107).contains(place.systemPath.count - 1) else {
      return nil
    }
    self.place = place
  }

  /// Who started this process; `nil` when nobody wants to know.
  package static var ofProcess: SystemdNotice? {
    SystemdNotice(socket: unsafe getenv("NOTIFY_SOCKET").map { unsafe String(cString: $0) })
  }

  /// Sends a state; a manager that is gone needs none.
  ///
  /// - Returns: whether it was sent.
  @discardableResult
  package func notify(_ state: State) -> Bool {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var name = place.systemPath.dropLast().map { UInt8(bitPattern: $0) }
    if name.first == UInt8(ascii: "@") { name[0] = 0 }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    let message = Array(state.rawValue.utf8)
    let sent = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe message.withUnsafeBytes { bytes in
          unsafe sendto(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL), pointer, length)
        }
      }
    }
    return sent == message.count
  }
}
