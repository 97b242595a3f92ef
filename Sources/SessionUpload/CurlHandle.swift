private import CCurl
internal import TextFormats
internal import WorkoutSession

/// The functions of libcurl, opened once and for good.
@safe
struct CurlLibrary: @unchecked Sendable {
  /// The library; `nil` where there is none.
  static let shared = CurlLibrary()

  fileprivate let functions: UnsafePointer<coach_curl>

  private init?() {
    let functions = UnsafeMutablePointer<coach_curl>.allocate(capacity: 1)
    unsafe functions.initialize(to: coach_curl())
    guard unsafe coach_curl_open(functions) != 0 else {
      unsafe functions.deallocate()
      return nil
    }
    unsafe self.functions = UnsafePointer(functions)
  }

  /// An instant as HTTP writes it, in seconds since the Unix epoch; `nil` for what is none.
  func seconds(ofDate text: String) -> Int? {
    let seconds = unsafe functions.pointee.getdate(text, nil)
    return seconds < 0 ? nil : Int(seconds)
  }
}

/// What a transfer is asked while it runs.
protocol CurlTransfer: AnyObject {
  /// The next bytes to send, at most `limit`; none at the end, `nil` to give up.
  func bytesToSend(_ limit: Int) -> ArraySlice<UInt8>?
  /// Begins to send again; whether that works.
  func rewind() -> Bool
  /// A line of the head of an answer; whether to go on.
  func take(headerLine: [UInt8]) -> Bool
  /// A piece of the body of an answer; whether to go on.
  func take(body: [UInt8]) -> Bool
  /// How many bytes were sent; whether to go on.
  func isContinued(bytesSent: Int) -> Bool
}

/// How a transfer ended that did not bring an answer.
struct CurlFailure: Error, Hashable, Sendable {
  /// The kinds that make a difference.
  enum Kind: Hashable, Sendable { case unreachable, untrusted, silent, dropped, ended }

  let kind: Kind
  /// The words of libcurl.
  let words: String
}

/// One connection to a service at a time, kept open between requests.
@safe
final class CurlHandle {
  private let library: CurlLibrary
  private let handle: UnsafeMutableRawPointer
  private var lines: UnsafeMutablePointer<curl_slist>?

  /// A handle of the library; `nil` when there is no memory for it.
  init?(_ library: CurlLibrary) {
    guard let handle = unsafe library.functions.pointee.easy_init() else { return nil }
    self.library = library
    unsafe self.handle = handle
  }

  deinit {
    unsafe library.functions.pointee.slist_free_all(lines)
    unsafe library.functions.pointee.easy_cleanup(handle)
  }

  /// Forgets every option of the last request, not its connection.
  func reset() {
    unsafe library.functions.pointee.easy_reset(handle)
    unsafe library.functions.pointee.slist_free_all(lines)
    unsafe lines = nil
  }

  /// How an address is asked: within times, by one protocol, never elsewhere.
  ///
  /// - Parameters:
  ///   - milliseconds: how long the whole request may take.
  ///   - certificates: a file of those that are trusted; absent for the machine's.
  func prepare(url: String, patience: StorePatience, milliseconds: Int, certificates: String?) {
    set(CURLOPT_URL, url)
    // What an address may not become by way of an answer or a variable.
    set(CURLOPT_PROTOCOLS_STR, url.hasPrefix("http://") ? "http" : "https")
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    if let certificates { set(CURLOPT_CAINFO, certificates) }
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_CONNECTTIMEOUT, patience.connectSeconds)
    // 0 would be without end.
    set(CURLOPT_TIMEOUT_MS, max(1, milliseconds))
    set(CURLOPT_LOW_SPEED_LIMIT, 1)
    set(CURLOPT_LOW_SPEED_TIME, patience.silentSeconds)
    set(CURLOPT_USERAGENT, "coach/\(Program.version)")
  }

  /// Signs the request by the key of a store.
  func sign(_ settings: StoreSettings) {
    set(CURLOPT_AWS_SIGV4, "aws:amz:\(settings.region):s3")
    set(CURLOPT_USERNAME, settings.credentials.accessKeyID.text)
    set(CURLOPT_PASSWORD, settings.credentials.secretAccessKey.text)
  }

  /// Adds a line to the head of the request, `name: value`.
  func add(header: String) { unsafe lines = library.functions.pointee.slist_append(lines, header) }

  /// Asks for the head of the answer only.
  func askForHead() { set(CURLOPT_NOBODY, 1) }

  /// Sends a body of that many bytes by POST.
  func post(byteCount: Int) {
    set(CURLOPT_POST, 1)
    _ = unsafe coach_curl_set_offset(
      library.functions, handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(byteCount))
  }

  /// Goes to the address itself, whatever proxy the environment names.
  func avoidProxies() { set(CURLOPT_NOPROXY, "*") }

  /// Sends a body of that many bytes by PUT.
  func send(byteCount: Int) {
    set(CURLOPT_UPLOAD, 1)
    set(CURLOPT_UPLOAD_BUFFERSIZE, 256 << 10)
    _ = unsafe coach_curl_set_offset(
      library.functions, handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(byteCount))
  }

  /// Makes the request; the status of the answer.
  ///
  /// - Throws: `CurlFailure` when there is none.
  func perform(_ transfer: any CurlTransfer) throws(CurlFailure) -> Int {
    _ = unsafe coach_curl_set_pointer(library.functions, handle, CURLOPT_HTTPHEADER, lines)
    let box = TransferBox(transfer)
    let code = withExtendedLifetime(box) {
      unsafe connect(Unmanaged.passUnretained(box).toOpaque())
      return unsafe library.functions.pointee.easy_perform(handle)
    }
    guard code == CURLE_OK else { throw failure(code) }
    var status = 0
    _ = unsafe coach_curl_get_long(library.functions, handle, CURLINFO_RESPONSE_CODE, &status)
    return status
  }

  private func failure(_ code: CURLcode) -> CurlFailure {
    let words = unsafe library.functions.pointee.easy_strerror(code).map { unsafe String(cString: $0) }
    let kind: CurlFailure.Kind =
      switch code {
      case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_PROXY: .unreachable
      case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR: .untrusted
      case CURLE_OPERATION_TIMEDOUT: .silent
      case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_SEND_FAIL_REWIND,
        CURLE_SSL_CONNECT_ERROR:
        .dropped
      default: .ended
      }
    return CurlFailure(kind: kind, words: words ?? "error \(code.rawValue)")
  }

  private func connect(_ context: UnsafeMutableRawPointer) {
    let functions = unsafe library.functions
    for option in [CURLOPT_READDATA, CURLOPT_SEEKDATA, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_XFERINFODATA] {
      _ = unsafe coach_curl_set_pointer(functions, handle, option, context)
    }
    _ = unsafe coach_curl_set_reader(functions, handle) { buffer, size, count, context in
      guard let buffer = unsafe buffer, let box = unsafe TransferBox.of(context),
        let bytes = box.transfer.bytesToSend(size * count)
      else { return Int(CURL_READFUNC_ABORT) }
      unsafe bytes.withUnsafeBytes { bytes in
        unsafe UnsafeMutableRawBufferPointer(start: buffer, count: bytes.count).copyMemory(from: bytes)
      }
      return bytes.count
    }
    _ = unsafe coach_curl_set_seeker(functions, handle) { context, offset, origin in
      guard let box = unsafe TransferBox.of(context), offset == 0, origin == 0, box.transfer.rewind() else {
        return CURL_SEEKFUNC_FAIL
      }
      return CURL_SEEKFUNC_OK
    }
    _ = unsafe coach_curl_set_taker(functions, handle, CURLOPT_HEADERFUNCTION) { buffer, size, count, context in
      let isContinued = unsafe TransferBox.of(context)?.transfer.take(
        headerLine: TransferBox.bytes(buffer, size * count))
      return isContinued == true ? size * count : 0
    }
    _ = unsafe coach_curl_set_taker(functions, handle, CURLOPT_WRITEFUNCTION) { buffer, size, count, context in
      let isContinued = unsafe TransferBox.of(context)?.transfer.take(body: TransferBox.bytes(buffer, size * count))
      return isContinued == true ? size * count : 0
    }
    set(CURLOPT_NOPROGRESS, 0)
    _ = unsafe coach_curl_set_observer(functions, handle) { context, _, _, _, sent in
      unsafe TransferBox.of(context)?.transfer.isContinued(bytesSent: Int(sent)) == true ? 0 : 1
    }
  }

  private func set(_ option: CURLoption, _ value: Int) {
    _ = unsafe coach_curl_set_long(library.functions, handle, option, value)
  }

  private func set(_ option: CURLoption, _ value: String) {
    _ = unsafe coach_curl_set_text(library.functions, handle, option, value)
  }
}

/// What the functions that libcurl calls get to see.
private final class TransferBox {
  let transfer: any CurlTransfer

  init(_ transfer: any CurlTransfer) { self.transfer = transfer }

  @unsafe static func of(_ context: UnsafeMutableRawPointer?) -> TransferBox? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<TransferBox>.fromOpaque(context).takeUnretainedValue()
  }

  @unsafe static func bytes(_ buffer: UnsafeMutablePointer<CChar>?, _ count: Int) -> [UInt8] {
    unsafe Array(UnsafeRawBufferPointer(start: buffer, count: count))
  }
}
