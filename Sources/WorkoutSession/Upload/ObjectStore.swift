/// How long a store is waited for.
package struct StorePatience: Hashable, Sendable {
  /// Until a connection stands, its encryption included, in seconds.
  package let connectSeconds: Int
  /// While nothing is sent and nothing comes, in seconds.
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

/// A store of objects behind HTTP, as Amazon's S3 is one. Requests are signed (version 4) and go over one connection.
///
/// An object carries its SHA-256 as its own metadata, because what a store tells of a content by itself (the ETag) is a
/// hash of it only sometimes. The same hash is in the signature of a PUT, so that a store refuses other bytes.
package final class ObjectStore {
  /// Where objects go.
  package let destination: UploadDestination
  private let settings: StoreSettings
  private let patience: StorePatience
  private let library: CurlLibrary
  private let handle: CurlHandle
  private static let hashHeader = "x-amz-meta-sha256"
  private static let hashOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  /// A store that nothing was asked of yet.
  ///
  /// - Throws: `StoreError` when there is no libcurl.
  package init(
    _ destination: UploadDestination, settings: StoreSettings, patience: StorePatience
  ) throws(StoreError) {
    guard let library = CurlLibrary.shared, let handle = CurlHandle(library) else { throw StoreError(.noLibrary) }
    self.destination = destination
    self.settings = settings
    self.patience = patience
    self.library = library
    self.handle = handle
  }

  /// Whether the object of a key has a content, by its size and the hash that it was stored with.
  ///
  /// A store that does not say whether there is an object (a key that may only write is refused here) has none.
  /// - Parameter isContinued: asked while nothing comes; `false` ends it.
  /// - Throws: `StoreError`.
  func has(_ content: UploadContent, at key: String, _ isContinued: () -> Bool) throws(StoreError) -> Bool {
    prepare(key, payloadHash: Self.hashOfNothing)
    handle.askForHead()
    let answer = try perform(nil) { _ in isContinued() }
    switch answer.status {
    case 200..<300:
      return answer.headers[Self.hashHeader] == content.sha256 && answer.headers["content-length"] == "\(content.size)"
    case 400, 401, 403, 404: return false
    default: throw error(answer)
    }
  }

  /// Stores a content under a key, instead of what is there.
  ///
  /// - Parameter isContinued: told the bytes that were sent; `false` ends it.
  /// - Throws: `StoreError`; the store then has the object as it was, or whole.
  func put(
    _ content: UploadContent, at key: String, type: String, _ isContinued: (Int) -> Bool
  ) throws(StoreError) {
    prepare(key, payloadHash: content.sha256)
    handle.add(header: "content-type: \(type)")
    handle.add(header: "\(Self.hashHeader): \(content.sha256)")
    handle.send(byteCount: content.size)
    let answer = try perform(content, isContinued)
    guard (200..<300).contains(answer.status) else { throw error(answer) }
  }

  private func prepare(_ key: String, payloadHash: String) {
    handle.reset()
    handle.prepare(
      url: settings.endpoint.address(of: key, in: destination, region: settings.region), patience: patience,
      settings: settings)
    // libcurl 7.88 does not know what a PUT sends, and signs the hash of nothing unless it is told.
    handle.add(header: "x-amz-content-sha256: \(payloadHash)")
    if let token = settings.credentials.sessionToken { handle.add(header: "x-amz-security-token: \(token.text)") }
  }

  private func perform(
    _ content: UploadContent?, _ isContinued: (Int) -> Bool
  ) throws(StoreError) -> StoreAnswer {
    try withoutActuallyEscaping(isContinued) { (isContinued) throws(StoreError) in
      let transfer = StoreTransfer(content, isContinued)
      do throws(CurlFailure) {
        return StoreAnswer(status: try handle.perform(transfer), transfer)
      } catch {
        if let problem = transfer.problem { throw problem }
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
