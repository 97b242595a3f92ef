internal import TextFormats

/// How long a store is waited for.
package struct StorePatience: Hashable, Sendable {
  /// Until a connection stands, its encryption included, in seconds.
  package let connectSeconds: Int
  /// While nothing is sent and nothing comes, and from the last byte that is sent to the end of the answer, in seconds.
  package let silentSeconds: Int

  /// Creates a patience; 0 would be without end.
  ///
  /// - Precondition: both are above 0.
  package init(connectSeconds: Int, silentSeconds: Int) {
    precondition(connectSeconds > 0 && silentSeconds > 0, "a store is waited for, and not for ever")
    self.connectSeconds = connectSeconds
    self.silentSeconds = silentSeconds
  }
}

/// The time that a run of uploading may take, by a clock that nobody sets.
package struct UploadTimeLimit {
  /// What the clock shows, in nanoseconds.
  let now: () -> Int64
  private let end: Int64

  /// Begins a time of some nanoseconds.
  package init(nanoseconds: Int64, now: @escaping () -> Int64) {
    self.now = now
    end = now() + nanoseconds
  }

  /// How many nanoseconds are left; none when it is over.
  var left: Int64 { max(0, end - now()) }
}

/// A store of objects behind HTTP, as Amazon's S3 is one. Requests are signed (version 4) and go over one connection.
///
/// An object carries its SHA-256 as its own metadata, and the same hash is in the signature of a PUT, so that a store
/// refuses other bytes. What it keeps is looked at afterwards: its size, that hash, and the ETag where it is an MD5; where
/// the ETag says something else, or is none, it is read back.
package final class ObjectStore {
  /// Where objects go.
  package let destination: UploadDestination
  private let settings: StoreSettings
  private let patience: StorePatience
  /// The time that all requests may take together.
  let limit: UploadTimeLimit
  private let library: CurlLibrary
  private let handle: CurlHandle
  private static let hashHeader = "x-amz-meta-sha256"
  private static let hashOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  /// A store that nothing was asked of yet.
  ///
  /// - Throws: `StoreError` when there is no libcurl.
  package init(
    _ destination: UploadDestination, settings: StoreSettings, patience: StorePatience, limit: UploadTimeLimit
  ) throws(StoreError) {
    guard let library = CurlLibrary.shared, let handle = CurlHandle(library) else { throw StoreError(.noLibrary) }
    self.destination = destination
    self.settings = settings
    self.patience = patience
    self.limit = limit
    self.library = library
    self.handle = handle
  }

  /// Whether the object of a key has a content, by its size, the hash that it was stored with, and its ETag.
  ///
  /// A store that does not say whether there is an object (a key that may only write is refused here) has none.
  /// - Parameter isContinued: asked while nothing comes; `false` ends it.
  /// - Throws: `StoreError`.
  func has(_ content: UploadContent, at key: String, _ isContinued: () -> Bool) throws(StoreError) -> Bool {
    try keeps(content, at: key, by: nil, isContinued)
  }

  /// Stores a content under a key, instead of what is there, and makes sure that it is there.
  ///
  /// - Parameter isContinued: gets the count of bytes that were sent; `false` ends the transfer.
  /// - Throws: `StoreError`; the store then has the object as it was, or whole, or cannot be trusted with it.
  func put(
    _ content: UploadContent, at key: String, type: String, _ isContinued: (Int) -> Bool
  ) throws(StoreError) {
    prepare(key, payloadHash: content.sha256)
    handle.add(header: "content-type: \(type)")
    handle.add(header: "\(Self.hashHeader): \(content.sha256)")
    handle.send(byteCount: content.size)
    let answer = try perform(.send(content), isContinued)
    guard answer.isGood else { throw error(answer) }
    guard try keeps(content, at: key, by: answer, { isContinued(content.size) }) else { throw StoreError(.notKept) }
  }

  /// Whether the object of a key is a content.
  ///
  /// - Parameter answer: that to the PUT which stored it just now; `nil` when it may be there from before.
  private func keeps(
    _ content: UploadContent, at key: String, by answer: StoreAnswer?, _ isContinued: () -> Bool
  ) throws(StoreError) -> Bool {
    prepare(key, payloadHash: Self.hashOfNothing)
    handle.askForHead()
    let head = try perform(.look) { _ in isContinued() }
    switch head.status {
    case 200..<300: break
    case 404: return false
    // A key that may only write: what the store said of the bytes that it took is all there is.
    case 400, 401, 403: return answer?.contentMD5 == content.md5
    default: throw error(head)
    }
    guard head.headers["content-length"] == "\(content.size)" else { return false }
    let hash = head.headers[Self.hashHeader]
    guard hash == content.sha256 || (hash == nil && answer != nil) else { return false }
    let md5 = head.contentMD5 ?? answer?.contentMD5
    guard md5 != content.md5 else { return true }
    // Some stores make ETags of their own, and of objects of several parts all do; only the bytes are certain.
    prepare(key, payloadHash: Self.hashOfNothing)
    let whole = try perform(.readBack(content)) { _ in isContinued() }
    switch whole.status {
    case 200..<300: return whole.bodySHA256 == content.sha256
    // Whoever may not read it has to do with the hash that it was stored with, unless the ETag says otherwise.
    case 401, 403: return md5 == nil
    case 400..<500: return false
    default: throw error(whole)
    }
  }

  private func prepare(_ key: String, payloadHash: String) {
    handle.reset()
    handle.prepare(
      url: settings.endpoint.address(of: key, in: destination, region: settings.region), patience: patience,
      milliseconds: Int(limit.left / 1_000_000), certificates: settings.certificates)
    handle.sign(settings)
    // libcurl 7.88 does not know what a PUT sends, and signs the hash of nothing unless it is given one.
    handle.add(header: "x-amz-content-sha256: \(payloadHash)")
    if let token = settings.credentials.sessionToken { handle.add(header: "x-amz-security-token: \(token.text)") }
  }

  private func perform(
    _ purpose: StoreTransfer.Purpose, _ isContinued: (Int) -> Bool
  ) throws(StoreError) -> StoreAnswer {
    guard limit.left > 0 else { throw StoreError(.outOfTime) }
    return try withoutActuallyEscaping(isContinued) { (isContinued) throws(StoreError) in
      let transfer = StoreTransfer(purpose, patience, now: limit.now, isContinued)
      do throws(CurlFailure) {
        return StoreAnswer(status: try handle.perform(transfer), transfer)
      } catch {
        if let problem = transfer.problem { throw problem }
        guard limit.left > 0 else { throw StoreError(.outOfTime) }
        switch error.kind {
        case .unreachable: throw StoreError(.unreachable(error.words))
        case .untrusted: throw StoreError(.untrusted(error.words))
        case .silent: throw StoreError(.silent)
        case .dropped: throw StoreError(.dropped)
        case .ended: throw StoreError(.failed(error.words))
        }
      }
    }
  }

  private func error(_ answer: StoreAnswer) -> StoreError {
    if (300..<400).contains(answer.status) {
      return StoreError(.redirected(region: answer.word(of: "x-amz-bucket-region")))
    }
    let code = answer.errorCode
    if answer.status == 403, code == nil || code == "RequestTimeTooSkewed",
      let date = answer.headers["date"].flatMap({ library.seconds(ofDate: $0) })
    {
      let ahead = SystemWallClock.now().wholeSeconds - date
      if abs(ahead) > 300 { return StoreError(.clockOff(seconds: ahead)) }
    }
    return StoreError(.refused(status: answer.status, code: code))
  }
}
