private import CGnuTLS
internal import Glibc
internal import Synchronization
package import TextFormats

/// From when to when a certificate holds.
package struct CertificateSpan: Hashable, Sendable {
  /// How long before its end it is near, in seconds: there has to be time to see to it.
  static let nearSeconds: Int64 = 14 * 86_400

  /// When it begins.
  package let begins: WallClockTime
  /// When it ends.
  package let ends: WallClockTime

  /// Creates a span.
  package init(begins: WallClockTime, ends: WallClockTime) {
    self.begins = begins
    self.ends = ends
  }

  /// How many seconds are left; negative once it is over.
  package func secondsLeft(_ now: WallClockTime) -> Int64 {
    let rest = ends.nanoseconds(since: now) ?? (ends < now ? .min : .max)
    return Int64(WallClockTime.floor(Int(rest), by: 1_000_000_000).quotient)
  }

  /// Whether it is over or ends soon: within ``nearSeconds``, or a third of its time where that is shorter.
  package func isNearItsEnd(_ now: WallClockTime) -> Bool {
    secondsLeft(now) < min(Self.nearSeconds, secondsLeft(begins) / 3)
  }
}

/// The functions of GnuTLS that hold certificates, opened once and for good.
@safe
private struct CertificateLibrary: @unchecked Sendable {
  /// The library; `nil` where there is none.
  static let shared = CertificateLibrary()

  private let functions: coach_tls

  private init?() {
    var functions = coach_tls()
    guard unsafe coach_tls_open(&functions) != 0 else { return nil }
    self.functions = functions
  }

  /// A certificate and its key; `nil` where they are none, or do not belong together. Whoever makes it releases it.
  func make(_ texts: HTTPServerSettings.TLS) -> UnsafeMutablePointer<coach_tls_pair>? {
    unsafe texts.certificate.withUnsafeBufferPointer { certificate in
      unsafe texts.key.withUnsafeBufferPointer { key in
        unsafe withUnsafePointer(to: functions) {
          unsafe coach_tls_make(
            $0, coach_bytes(bytes: certificate.baseAddress, count: UInt32(certificate.count)),
            coach_bytes(bytes: key.baseAddress, count: UInt32(key.count)))
        }
      }
    }
  }

  func release(_ pair: UnsafeMutablePointer<coach_tls_pair>) {
    unsafe withUnsafePointer(to: functions) { unsafe coach_tls_release($0, pair) }
  }
}

/// A certificate and its key, as connections begin with them. The library of TLS keeps no count of who uses it: whoever may, holds it.
@safe
final class CertificatePair: @unchecked Sendable {
  /// From when to when it holds.
  let span: CertificateSpan
  private let library: CertificateLibrary
  fileprivate let pointer: UnsafeMutablePointer<coach_tls_pair>

  /// Reads a pair.
  ///
  /// - Throws: `HTTPServer.Unavailable` where the library is not there, or takes no such pair.
  init(_ texts: HTTPServerSettings.TLS) throws(HTTPServer.Unavailable) {
    guard let library = CertificateLibrary.shared else {
      throw HTTPServer.Unavailable(
        description: "libgnutls.so.30 cannot be opened: expected the Debian package libgnutls30")
    }
    guard let pointer = unsafe library.make(texts) else {
      throw HTTPServer.Unavailable(
        description: "the certificate and its key cannot be used: expected PEM that belongs together")
    }
    self.library = library
    unsafe self.pointer = pointer
    let time = { (seconds: Int64) in
      let nanoseconds = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      return WallClockTime(nanoseconds: nanoseconds.overflow ? (seconds < 0 ? .min : .max) : nanoseconds.partialValue)
    }
    span = unsafe CertificateSpan(begins: time(pointer.pointee.begins), ends: time(pointer.pointee.ends))
  }

  deinit { unsafe library.release(pointer) }
}

/// The certificate that a server shows from now on; it can be another one while the server runs.
final class ServedCertificate: Sendable {
  private let pair: Mutex<CertificatePair>

  init(_ pair: CertificatePair) { self.pair = Mutex(pair) }

  /// The certificate.
  var current: CertificatePair { pair.withLock { $0 } }

  /// Shows another one; the one before.
  func replace(with new: CertificatePair) -> CertificatePair {
    pair.withLock { current in
      defer { current = new }
      return current
    }
  }

  /// Says to the library that what begins on this thread is shown this certificate, for as long as somebody holds it.
  func serveThread() {
    _ = unsafe pthread_setspecific(servedCertificate, Unmanaged.passUnretained(self).toOpaque())
  }

  /// What the library asks for the certificate of a connection that begins. It gives no context, so that the thread has it.
  static var retrieve: UnsafeMutableRawPointer {
    unsafe unsafeBitCast(retrieveCertificate, to: UnsafeMutableRawPointer.self)
  }
}

/// Where a thread keeps the certificate that it serves.
private let servedCertificate: pthread_key_t = {
  var key = pthread_key_t()
  _ = unsafe pthread_key_create(&key, nil)
  return key
}()

private let retrieveCertificate:
  @convention(c) (
    OpaquePointer?, UnsafePointer<gnutls_datum_t>?, Int32, UnsafePointer<gnutls_pk_algorithm_t>?, Int32,
    UnsafeMutablePointer<UnsafeMutablePointer<gnutls_pcert_st>?>?, UnsafeMutablePointer<UInt32>?,
    UnsafeMutablePointer<OpaquePointer?>?
  ) -> Int32 = { _, _, _, _, _, chain, count, key in
    guard let context = unsafe pthread_getspecific(servedCertificate), let chain = unsafe chain,
      let count = unsafe count, let key = unsafe key
    else { return -1 }
    let served = unsafe Unmanaged<ServedCertificate>.fromOpaque(context).takeUnretainedValue()
    // Of another one that takes its place every connection that is there holds this one (HTTPServer.renew).
    let pair = served.current
    unsafe chain.pointee = coach_tls_chain(pair.pointer)
    unsafe count.pointee = pair.pointer.pointee.count
    unsafe key.pointee = pair.pointer.pointee.key
    return 0
  }
