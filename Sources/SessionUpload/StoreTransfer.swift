internal import TextFormats

/// One request: what it sends, and what comes back, as much of it as is of use.
final class StoreTransfer: CurlTransfer {
  /// What a request is made for.
  enum Purpose {
    /// To look at an object.
    case look
    /// To store a content.
    case send(UploadContent)
    /// To read an object that should be a content.
    case readBack(UploadContent)
  }

  /// How long an answer may be in bytes, its head and its body, unless it is an object that is read back.
  static let longestAnswer = 64 << 10

  /// Why the request was given up.
  private(set) var problem: StoreError?
  /// The head of the last answer.
  private(set) var headers = AnswerHeaders()
  /// Its body, unless that is an object.
  private(set) var body: [UInt8] = []
  /// The SHA-256 of the object that was read back.
  var bodySHA256: String? {
    guard case .readBack = purpose else { return nil }
    var hash = hash
    return hash.finish().hexadecimal
  }

  private let purpose: Purpose
  private var reader: UploadContentReader?
  private let patience: StorePatience
  private let now: () -> Int64
  private let isContinued: (Int) -> Bool
  private var answerBytes = 0
  private var hash = SHA256()
  /// When the answer has to be there, whole.
  private var answerEnd: Int64?

  /// A request that waits as long as a patience says, by a clock in nanoseconds.
  init(
    _ purpose: Purpose, _ patience: StorePatience, now: @escaping () -> Int64, _ isContinued: @escaping (Int) -> Bool
  ) {
    self.purpose = purpose
    self.patience = patience
    self.now = now
    self.isContinued = isContinued
    if sentBytes == 0 { answerEnd = now() + Self.nanoseconds(patience.connectSeconds + patience.silentSeconds) }
  }

  private static func nanoseconds(_ seconds: Int) -> Int64 { Int64(seconds) * 1_000_000_000 }

  /// How many bytes are sent.
  private var sentBytes: Int { if case .send(let content) = purpose { content.size } else { 0 } }

  func bytesToSend(_ limit: Int) -> ArraySlice<UInt8>? {
    guard case .send(let content) = purpose else { return [] }
    do {
      let reader = try self.reader ?? UploadContentReader(content)
      self.reader = reader
      return try reader.next(limit)
    } catch let error as FileError {
      problem = StoreError(.file(error))
    } catch {
      problem = error as? StoreError ?? StoreError(.contentChanged)
    }
    return nil
  }

  func rewind() -> Bool {
    reader = nil
    return true
  }

  func take(headerLine: [UInt8]) -> Bool {
    guard takes(headerLine.count, atMost: Self.longestAnswer) else { return false }
    headers.take(headerLine)
    return true
  }

  func take(body piece: [UInt8]) -> Bool {
    guard case .readBack(let content) = purpose else {
      body += piece
      return takes(piece.count, atMost: Self.longestAnswer)
    }
    hash.update(piece.span)
    // What is longer than the content is another one; the rest does not matter.
    return takes(piece.count, atMost: Self.longestAnswer + content.size)
  }

  /// Counts bytes of an answer; whether they are not too many.
  private func takes(_ count: Int, atMost limit: Int) -> Bool {
    answerBytes += count
    guard answerBytes > limit else { return true }
    problem = problem ?? StoreError(.answerTooLong)
    return false
  }

  func isContinued(bytesSent: Int) -> Bool {
    guard isContinued(bytesSent) else {
      problem = problem ?? StoreError(.interrupted)
      return false
    }
    // An object that is read back may take its time, as one that is sent.
    if case .readBack = purpose { return true }
    if answerEnd == nil, bytesSent >= sentBytes { answerEnd = now() + Self.nanoseconds(patience.silentSeconds) }
    guard let answerEnd, now() > answerEnd else { return true }
    problem = problem ?? StoreError(.silent)
    return false
  }
}
