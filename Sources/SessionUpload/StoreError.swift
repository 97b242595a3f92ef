package import TextFormats

/// Why an object is not in the store. No header, signature or key of a request stands in it.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package enum Problem: Hashable, Sendable {
    /// libcurl is not on the machine.
    case noLibrary
    /// The service does not answer; the words of libcurl.
    case unreachable(String)
    /// The service, or what answers in its place, cannot be trusted; the words of libcurl.
    case untrusted(String)
    /// Nothing came for longer than is waited.
    case silent
    /// The connection ended before the answer did.
    case dropped
    /// The answer is longer than any that is of use.
    case answerTooLong
    /// The store says that it took the object, and does not have it as it was sent.
    case notKept
    /// The run takes longer than it may.
    case outOfTime
    /// The request cannot be made; the words of libcurl.
    case failed(String)
    /// The service redirects, with the region of the bucket where it states one.
    case redirected(region: String?)
    /// The service answers with an error: the status of HTTP, and its own word for it.
    case refused(status: Int, code: String?)
    /// The clock of this machine is that many seconds off.
    case clockOff(seconds: Int)
    /// The file was changed while it was sent.
    case contentChanged
    /// The file cannot be read.
    case file(FileError)
    /// Somebody wants the work to end.
    case interrupted
  }

  /// What is wrong.
  package let problem: Problem

  init(_ problem: Problem) { self.problem = problem }

  /// Whether the same request may succeed a little later.
  package var isTransient: Bool {
    switch problem {
    case .unreachable, .silent, .dropped, .contentChanged, .notKept: true
    case .refused(let status, let code):
      status >= 500 || status == 429 || status == 408 || code == "RequestTimeout" || code == "SlowDown"
    case .noLibrary, .untrusted, .failed, .answerTooLong, .outOfTime, .redirected, .clockOff, .file, .interrupted:
      false
    }
  }

  /// Whether another object may fare better.
  package var concernsOneObject: Bool {
    switch problem {
    case .contentChanged, .file: true
    case .refused(let status, let code): status == 400 && code == "KeyTooLongError" || status == 413
    case .noLibrary, .unreachable, .untrusted, .silent, .dropped, .answerTooLong, .notKept, .outOfTime, .failed,
      .redirected, .clockOff, .interrupted:
      false
    }
  }

  /// 130 when interrupted, that of the file, 65 for one that changes; else 69: the service is not there for us.
  package var exitCode: Int32 {
    switch problem {
    case .interrupted: 130
    case .file(let error): error.exitCode
    case .contentChanged: 65
    case .noLibrary, .unreachable, .untrusted, .silent, .dropped, .answerTooLong, .notKept, .outOfTime, .failed,
      .redirected, .refused, .clockOff:
      69
    }
  }

  /// What is wrong and what was expected.
  package var description: String {
    switch problem {
    case .noLibrary: "libcurl.so.4 cannot be opened: expected libcurl 7.87 or newer, on Debian the package libcurl4"
    case .unreachable(let words): "the store cannot be reached: \(words)"
    case .untrusted(let words): "the store cannot be trusted: \(words)"
    case .silent: "the store does not answer in time"
    case .dropped: "the store ended the connection before it answered"
    case .answerTooLong:
      "the store's answer does not end: expected at most \(StoreTransfer.longestAnswer) bytes"
    case .notKept: "the store says that it took the file, and does not have it: expected the bytes that were sent"
    case .outOfTime: "the time limit of the upload is over: expected a faster store, or a longer --time-limit"
    case .failed(let words): "the store cannot be asked: \(words)"
    case .redirected(let region):
      "the store sends elsewhere, which is not followed: expected "
        + (region.map { "AWS_REGION=\($0)" } ?? "the address and the region of the bucket")
    case .refused(let status, let code): Self.refusal(status, code)
    case .clockOff(let seconds):
      "the store refuses requests by this machine's clock, which is \(abs(seconds)) s "
        + (seconds < 0 ? "behind" : "ahead") + ": expected one that is right"
    case .contentChanged: "changes while it is sent: expected a file that nobody writes"
    case .file(let error): "\(error.operation.rawValue): \(error.reason)"
    case .interrupted: "interrupted"
    }
  }

  private static func refusal(_ status: Int, _ code: String?) -> String {
    let answer = "the store answers \(status)" + (code.map { " " + $0 } ?? "")
    return switch code ?? "" {
    case "NoSuchBucket": answer + ": expected a bucket that is there"
    case "SignatureDoesNotMatch", "InvalidAccessKeyId", "InvalidToken", "ExpiredToken":
      answer + ": expected credentials that hold"
    default: status == 403 ? answer + ": expected credentials that may read and write there" : answer
    }
  }
}
