internal import LiveCoaching
internal import Synchronization
package import TextFormats

/// The files of a certificate and its key.
package struct CertificateFiles: Hashable, Sendable {
  /// The path of the certificate with its chain, PEM.
  package let certificate: String
  /// The path of the key, PEM.
  package let key: String

  /// Creates the pair.
  package init(certificate: String, key: String) {
    self.certificate = certificate
    self.key = key
  }

  /// Reads both.
  ///
  /// - Throws: `FileError` for the first that cannot be read.
  package func read() throws -> HTTPServerSettings.TLS {
    HTTPServerSettings.TLS(
      certificate: try POSIXFile(reading: certificate).readAll(maximumBytes: 1 << 20),
      key: try POSIXFile(reading: key).readAll(maximumBytes: 1 << 20))
  }
}

/// Has a server show what is in the files of its certificate, which some program renews while the service runs, and says before it ends.
///
/// Files that are written one after another belong together once nothing more changes: what is new is shown when two looks have seen the
/// same. What cannot be used leaves the certificate before where it is, and is said once.
package final class CertificateWatch: Sendable {
  /// How much time is between two looks, in nanoseconds.
  static let interval: Int64 = 10_000_000_000
  /// How much time is between two warnings, in nanoseconds.
  static let warningInterval: Int64 = 86_400_000_000_000

  private enum Reading: Hashable {
    case texts(HTTPServerSettings.TLS)
    case unreadable(String)
  }

  private struct State {
    /// From when to when the certificate holds that is shown.
    var span: CertificateSpan
    /// What the files had when it was shown.
    var shown: Reading
    /// What they had at the last look.
    var last: Reading
    /// What they had when it could not be used.
    var refused: Reading?
    var lookedAt: Int64
    var warnedAt: Int64?
  }

  private let files: CertificateFiles
  private let show: @Sendable (HTTPServerSettings.TLS) throws -> CertificateSpan
  private let say: @Sendable (String) -> Void
  private let state: Mutex<State>

  /// Watches the files of a certificate that is shown already.
  ///
  /// - Parameters:
  ///   - shown: what the files had.
  ///   - span: from when to when it holds.
  ///   - now: when they were read, by the monotonic clock.
  ///   - show: has the server show another one.
  ///   - say: says a line to the owner.
  package init(
    _ files: CertificateFiles, shown: HTTPServerSettings.TLS, span: CertificateSpan, now: Int64,
    show: @escaping @Sendable (HTTPServerSettings.TLS) throws -> CertificateSpan,
    say: @escaping @Sendable (String) -> Void
  ) {
    self.files = files
    self.show = show
    self.say = say
    state = Mutex(State(span: span, shown: .texts(shown), last: .texts(shown), lookedAt: now))
  }

  /// Looks at the files, if that is due or somebody asks for it, and at the end of the certificate.
  ///
  /// - Parameters:
  ///   - isAsked: whether somebody says that they are new, who does not have to wait for a second look.
  ///   - now: by the monotonic clock.
  ///   - time: by the clock of the wall.
  package func look(isAsked: Bool, now: Int64, time: WallClockTime) {
    state.withLock { state in
      if isAsked || now - state.lookedAt >= Self.interval {
        state.lookedAt = now
        renew(&state, isAsked)
      }
      warn(&state, time)
    }
  }

  private func renew(_ state: inout State, _ isAsked: Bool) {
    let reading: Reading
    do {
      reading = .texts(try files.read())
    } catch {
      reading = .unreadable("\(error)")
    }
    let isSettled = isAsked || reading == state.last
    state.last = reading
    guard isSettled, reading != state.shown, isAsked || reading != state.refused else {
      if reading == state.shown { state.refused = nil }
      return
    }
    do {
      switch reading {
      case .unreadable(let problem): throw HTTPServer.Unavailable(description: problem)
      case .texts(let texts):
        state.span = try show(texts)
        state.shown = reading
        state.refused = nil
        state.warnedAt = nil
        say("\(files.certificate): the renewed certificate is shown, until \(state.span.ends)")
      }
    } catch {
      state.refused = reading
      say("\(files.certificate): \(error); the certificate before is shown still")
    }
  }

  private func warn(_ state: inout State, _ time: WallClockTime) {
    guard state.span.isNearItsEnd(time) else { return }
    let isDue = state.warnedAt.map { time.nanoseconds - $0 >= Self.warningInterval || time.nanoseconds < $0 } ?? true
    guard isDue else { return }
    state.warnedAt = time.nanoseconds
    let left = state.span.secondsLeft(time)
    let words = left < 0 ? "has ended" : "ends in \(Self.words(left))"
    say("\(files.certificate): the certificate \(words), at \(state.span.ends): expected a renewed one")
  }

  private static func words(_ seconds: Int64) -> String {
    let (count, unit) = seconds >= 2 * 86_400 ? (seconds / 86_400, "days") : (max(1, seconds / 3_600), "hours")
    return count == 1 ? "an hour" : "\(count) \(unit)"
  }
}
