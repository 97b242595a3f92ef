@testable import CoachService
import Foundation
import LiveCoaching
import Synchronization
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// A server of which a test sees what it was given to show, and what was said.
private final class ShownCertificates: Sendable {
  struct State {
    var shown: [HTTPServerSettings.TLS] = []
    var lines: [String] = []
  }

  let state = Mutex(State())

  /// Shows what belongs together, as a server does.
  func show(_ texts: HTTPServerSettings.TLS) throws(HTTPServer.Unavailable) -> CertificateSpan {
    let span = try CertificatePair(texts).span
    state.withLock { $0.shown.append(texts) }
    return span
  }

  func say(_ line: String) { state.withLock { $0.lines.append(line) } }

  var shown: [HTTPServerSettings.TLS] { state.withLock { $0.shown } }
  var lines: [String] { state.withLock { $0.lines } }
}

/// A watch over two files of a scratch folder.
private struct WatchedFiles {
  let folder: ScratchFolder
  let files: CertificateFiles
  let server = ShownCertificates()
  let watch: CertificateWatch

  init(span: CertificateSpan? = nil) throws {
    let folder = try ScratchFolder()
    let (server, shown) = (server, TestCertificate.first)
    self.folder = folder
    files = CertificateFiles(certificate: folder.path + "/chain.pem", key: folder.path + "/key.pem")
    watch = CertificateWatch(files, shown: shown, span: try span ?? CertificatePair(shown).span, now: 0) {
      texts throws(HTTPServer.Unavailable) in
      try server.show(texts)
    } say: {
      server.say($0)
    }
    try write(shown)
  }

  func write(_ texts: HTTPServerSettings.TLS) throws {
    _ = try folder.write(texts.certificate, "chain.pem")
    _ = try folder.write(texts.key, "key.pem")
  }

  /// Looks at a second.
  func look(_ second: Int64, isAsked: Bool = false, at time: WallClockTime = .morning(0)) {
    watch.look(isAsked: isAsked, now: second * 1_000_000_000, time: time)
  }
}

@Suite("A certificate that is renewed while the service runs")
struct CertificateWatchTests {
  @Test("What two looks have seen the same is shown, once; what is as before is not touched")
  func renewal() throws {
    let watched = try WatchedFiles()
    for second in stride(from: Int64(1), to: 60, by: 1) { watched.look(second) }
    #expect(watched.server.shown.isEmpty)
    #expect(watched.server.lines.isEmpty)
    try watched.write(TestCertificate.second)
    watched.look(61)
    #expect(watched.server.shown.isEmpty)
    watched.look(65)
    #expect(watched.server.shown.isEmpty)
    for second in [Int64(72), 83, 94] { watched.look(second) }
    #expect(watched.server.shown == [TestCertificate.second])
    #expect(watched.server.lines.count == 1)
    #expect(watched.server.lines.first?.contains("renewed certificate is shown, until 2126-11-03T21:14:04Z") == true)
    try watched.write(TestCertificate.first)
    watched.look(95, isAsked: true)
    #expect(watched.server.shown == [TestCertificate.second, TestCertificate.first])
  }

  @Test("Files that are written one after another are shown when both are there, without a word before")
  func halfWritten() throws {
    let watched = try WatchedFiles()
    _ = try watched.folder.write(TestCertificate.second.certificate, "chain.pem")
    watched.look(10)
    _ = try watched.folder.write(TestCertificate.second.key, "key.pem")
    watched.look(20)
    #expect(watched.server.shown.isEmpty)
    #expect(watched.server.lines.isEmpty)
    watched.look(30)
    #expect(watched.server.shown == [TestCertificate.second])
    #expect(watched.server.lines.count == 1)
  }

  @Test("What is broken, does not belong together or is not there leaves the one before, and is said once")
  func refusals() throws {
    let (first, second) = (TestCertificate.first, TestCertificate.second)
    for texts in [
      HTTPServerSettings.TLS(certificate: second.certificate, key: first.key),
      HTTPServerSettings.TLS(certificate: second.key, key: second.certificate),
      HTTPServerSettings.TLS(certificate: [], key: second.key),
      HTTPServerSettings.TLS(certificate: second.certificate, key: []),
      HTTPServerSettings.TLS(certificate: Array(second.certificate.dropLast(90)), key: second.key),
      HTTPServerSettings.TLS(certificate: Array("-----BEGIN CERTIFICATE-----".utf8), key: Array("\0\0".utf8)),
      nil,
    ] {
      let watched = try WatchedFiles()
      if let texts {
        try watched.write(texts)
      } else {
        try FileManager.default.removeItem(atPath: watched.files.key)
      }
      for second in 1..<10 { watched.look(Int64(second) * 10) }
      #expect(watched.server.shown.isEmpty)
      #expect(watched.server.lines.count == 1, "\(watched.server.lines)")
      #expect(watched.server.lines.first?.hasSuffix("; the certificate before is shown still") == true)
      // Who asks is answered, each time.
      watched.look(101, isAsked: true)
      #expect(watched.server.lines.count == 2)
      try watched.write(first)
      watched.look(111)
      watched.look(121)
      #expect(watched.server.lines.count == 2)
      try watched.write(second)
      watched.look(131)
      watched.look(141)
      #expect(watched.server.shown == [second])
    }
  }

  @Test("An end that is near is said at once and once a day, and one that has passed too, until it is renewed")
  func warnings() throws {
    let day = 86_400.0
    let watched = try WatchedFiles(span: CertificateSpan(begins: .morning(0), ends: .morning(90 * day)))
    for (time, count) in [(0, 0), (75.9, 0), (76.1, 1), (76.9, 1), (77.2, 2), (89.9, 3), (91, 4)] {
      watched.look(0, at: .morning(time * day))
      #expect(watched.server.lines.count == count, "\(time)")
    }
    #expect(watched.server.lines[0].contains("ends in 13 days"))
    #expect(watched.server.lines[2].contains("ends in 2 hours"))
    #expect(watched.server.lines[3].contains("has ended"))
    try watched.write(TestCertificate.second)
    watched.look(1, isAsked: true, at: .morning(93 * day))
    watched.look(2, at: .morning(95 * day))
    #expect(watched.server.lines.count == 5)
  }

  @Test("Near is two weeks, or a third of the time of one that holds shortly")
  func near() {
    let day = 86_400.0
    let short = CertificateSpan(begins: .morning(0), ends: .morning(6 * day))
    #expect(!short.isNearItsEnd(.morning(3.9 * day)))
    #expect(short.isNearItsEnd(.morning(4.1 * day)))
    #expect(short.secondsLeft(.morning(6 * day + 0.5)) == -1)
    #expect(short.secondsLeft(.morning(6 * day - 0.5)) == 0)
    let ever = CertificateSpan(begins: WallClockTime(nanoseconds: .min), ends: WallClockTime(nanoseconds: .max))
    #expect(!ever.isNearItsEnd(.morning(0)))
    #expect(ever.secondsLeft(WallClockTime(nanoseconds: .min)) > 0)
  }

  @Test("A server shows another certificate, and stays with its own where that cannot be used")
  func server() async throws {
    let (listener, _) = try #require(ListenAddress("127.0.0.1:0")).listen()
    let harness = try await ServiceHarness(ScratchFolder())
    var settings = HTTPServerSettings()
    settings.tls = TestCertificate.first
    let server = try HTTPServer(listener: listener, settings: settings, handler: harness.service.handler)
    let span = try #require(server.certificateSpan)
    #expect(span.ends.description == "2126-11-03T21:14:04Z")
    let (first, second) = (TestCertificate.first, TestCertificate.second)
    #expect(throws: HTTPServer.Unavailable.self) {
      try server.renew(HTTPServerSettings.TLS(certificate: second.certificate, key: first.key))
    }
    #expect(server.certificateSpan == span)
    for _ in 0..<100 { try server.renew(second) }
    await server.stop()
    await harness.service.close()
  }

  @Test("A server does not start with a certificate that cannot be used")
  func unusable() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    for key in [TestCertificate.second.key, []] {
      let (listener, _) = try #require(ListenAddress("127.0.0.1:0")).listen()
      var settings = HTTPServerSettings()
      settings.tls = HTTPServerSettings.TLS(certificate: TestCertificate.first.certificate, key: key)
      #expect(throws: HTTPServer.Unavailable.self) {
        try HTTPServer(listener: listener, settings: settings, handler: harness.service.handler)
      }
    }
    await harness.service.close()
  }
}
