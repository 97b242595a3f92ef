internal import Synchronization
internal import TextFormats

/// One line a request on standard error: its number, method, the pattern of its route, status and time. It never has a body,
/// a secret, a name or a position.
final class ServiceLog: Sendable {
  private let isJSON: Bool
  private let metrics: ServiceMetrics
  private let count = Atomic<Int>(0)

  init(isJSON: Bool, metrics: ServiceMetrics) {
    self.isJSON = isJSON
    self.metrics = metrics
  }

  /// - Parameter begin: when the request came, by the monotonic clock.
  func note(method: @autoclosure () -> String, pattern: String, status: Int, since begin: Int64) {
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    metrics.count(status: status)
    guard isJSON else { return }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", 1)
      writer.member("type", "request")
      writer.member("requestID", number)
      writer.member("method", method())
      writer.member("route", pattern.isEmpty ? nil : pattern)
      writer.member("status", status)
      writer.member("milliseconds", Double((MonotonicClock.now - begin) / 1_000) / 1_000)
    }
    writer.endLine()
    ServiceErrorStream.write(writer.bytes)
  }
}

/// What is counted, for `/metrics`.
package final class ServiceMetrics: Sendable {
  private struct State {
    var answers: [Int: Int] = [:]
    /// Those of the status 200, as nearly all have.
    var usualAnswers = 0
    var samples = 0
    var cues = 0
    var streams = 0
    var droppedStreams = 0
    var commits = CommitTimes()
    var certificate: CertificateSpan?
  }

  private let state = Mutex(State())
  /// The connections of those who ask.
  package let connections = ConnectionTally()

  func count(status: Int) {
    state.withLock { state in
      if status == 200 { state.usualAnswers += 1 } else { state.answers[status, default: 0] += 1 }
    }
  }
  func count(samples: Int, cues: Int) {
    state.withLock { state in
      state.samples += samples
      state.cues += cues
    }
  }
  func countStream(_ change: Int) { state.withLock { $0.streams += change } }
  func countDroppedStream() { state.withLock { $0.droppedStreams += 1 } }

  func count(commits times: [Int64]) {
    state.withLock { state in for time in times { state.commits.add(time) } }
  }

  /// Notes from when to when the certificate holds that is shown.
  package func note(certificate: CertificateSpan) { state.withLock { $0.certificate = certificate } }

  /// From when to when the certificate holds that is shown; absent for plain HTTP.
  var certificate: CertificateSpan? { state.withLock { $0.certificate } }
  /// How long commits took.
  var commits: CommitTimes { state.withLock { $0.commits } }
  /// How many answers there were of each status.
  package var answers: [Int: Int] {
    state.withLock { state in
      var answers = state.answers
      if state.usualAnswers > 0 { answers[200] = state.usualAnswers }
      return answers
    }
  }
  /// How many lines of samples were taken.
  package var samples: Int { state.withLock { $0.samples } }
  /// How many cues were given.
  package var cues: Int { state.withLock { $0.cues } }
  /// How many event streams are open.
  package var streams: Int { state.withLock { $0.streams } }
  /// How many event streams were ended because their readers were too slow.
  package var droppedStreams: Int { state.withLock { $0.droppedStreams } }
}
