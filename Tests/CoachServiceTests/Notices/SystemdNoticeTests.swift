@testable import CoachService
import Glibc
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("Who started the service")
struct SystemdNoticeTests {
  @Test("A manager at a path gets each state as a datagram")
  func states() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/notify"
    let listener = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = Array(path.utf8)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
    let bound = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
    let manager = try #require(SystemdNotice(socket: path))
    for state in SystemdNotice.State.allCases {
      #expect(manager.notify(state))
      var bytes = [UInt8](repeating: 0, count: 100)
      let count = unsafe bytes.withUnsafeMutableBytes { unsafe recv(listener, $0.baseAddress, $0.count, 0) }
      #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == state.rawValue)
    }
  }

  @Test("Where nobody listens nothing is sent", arguments: [nil, "", "relative", "/nowhere/notify"])
  func nobody(_ place: String?) {
    #expect(SystemdNotice(socket: place)?.notify(.ready) != true)
  }
}
