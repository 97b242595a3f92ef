internal import FleetStore
internal import LiveCoaching
internal import TextFormats

/// What is counted, as text for Prometheus. It is served at a listener of its own, which only this machine reaches.
package struct MetricsHandler: HTTPHandler {
  private let service: Service

  /// The metrics of a service.
  package init(_ service: Service) { self.service = service }

  package func admit(_ head: HTTPHead) -> HTTPAdmission {
    do throws(ServiceProblem) {
      try service.hosts.require(head.host)
      guard head.path == "/metrics" else { throw .notFound }
      guard head.method == "GET" || head.method == "HEAD" else {
        var problem = ServiceProblem(.methodNotAllowed, "expected GET, HEAD")
        problem.headers = [HTTPField("Allow", "GET, HEAD")]
        throw problem
      }
    } catch {
      return .refused(error.response)
    }
    return .taken(bodyLimit: 0, tooLarge: { ServiceProblem(.tooLarge, "the route has no body").response }) { _ in
      HTTPResponse(type: "text/plain; version=0.0.4; charset=utf-8", MetricsText(service).bytes)
    }
  }
}

/// The text: no name, no identity of a session, nothing of a body.
private struct MetricsText {
  private var text = ""

  var bytes: [UInt8] { Array(text.utf8) }

  init(_ service: Service) {
    let metrics = service.metrics
    add("coach_sessions_live", "gauge", "Live sessions.", service.sessions.liveCount)
    add("coach_samples_total", "counter", "Lines of samples that were taken.", metrics.samples)
    add("coach_cues_total", "counter", "Cues that were given.", metrics.cues)
    add(
      "coach_streams_open", "gauge", "Event streams that are open, and requests that wait for an event.",
      metrics.streams)
    add(
      "coach_uploads_waiting", "gauge", "Files that wait to be read, and those that are being read.",
      service.programs.depth)
    add("coach_audit_lost_total", "counter", "Lines of the audit that could not be written.", service.audit.lostCount)
    add(
      "coach_sessions_set_aside_total", "counter",
      "Sessions of which the database had something else than this instance, and that went on from there.",
      service.settings.fleet?.store.setAsideCount ?? 0)
    let replica = service.settings.fleet?.replica
    add(
      "coach_replica_usable", "gauge", "Whether the history is read from a replica of the database.",
      replica?.isUsable == true ? 1 : 0)
    let history = service.settings.fleet.map { _ in service.sessions.fleetHistory }
    add(
      "coach_history_whole", "gauge", "Whether the history has all that had ended when this instance started.",
      history?.isWhole == false ? 0 : 1)
    add(
      "coach_history_behind", "gauge", "Sessions that ended and are still to come into the history.",
      history?.behind ?? 0)
    head("coach_history_reads_total", "counter", "How often the history was read where there is a replica, by where.")
    text += "coach_history_reads_total{from=\"replica\"} \(replica?.readCount ?? 0)\n"
    text += "coach_history_reads_total{from=\"database\"} \(replica?.fallbackCount ?? 0)\n"
    head("coach_answers_total", "counter", "Answers by their status.")
    for (status, count) in metrics.answers.sorted(by: { $0.key < $1.key }) {
      text += "coach_answers_total{code=\"\(status)\"} \(count)\n"
    }
    head("coach_refusals_total", "counter", "Refusals by their status.")
    for (status, count) in metrics.answers.sorted(by: { $0.key < $1.key }) where status >= 400 {
      text += "coach_refusals_total{code=\"\(status)\"} \(count)\n"
    }
    if let certificate = metrics.certificate {
      add(
        "coach_tls_certificate_expiry_seconds", "gauge",
        "How long the certificate that is shown holds; negative once it is over.",
        Int(certificate.secondsLeft(service.clock.now())))
    }
    add("coach_connections_open", "gauge", "Connections that are open.", metrics.connections.openCount)
    head("coach_connections_closed_total", "counter", "Connections that were closed because too little came in time.")
    for lack in ConnectionTally.Lack.allCases {
      text += "coach_connections_closed_total{reason=\"\(lack.rawValue)\"} \(metrics.connections.closedCount(lack))\n"
    }
    add(
      "coach_streams_dropped_total", "counter", "Event streams that were ended because their readers were too slow.",
      metrics.droppedStreams)
    let queue = service.sessions.commitQueue
    add(
      "coach_commits_waiting", "gauge",
      "What was taken and is not on the disk yet, or in the database: the lines of a request count once.", queue.count)
    head("coach_commit_oldest_seconds", "gauge", "How long the oldest of it has waited; from 1 on 503 is answered.")
    text += "coach_commit_oldest_seconds \(Double(queue.age(at: MonotonicClock.now)) / 1e9)\n"
    let commits = metrics.commits
    head("coach_commit_seconds", "histogram", "How long it took until what was taken was on the disk.")
    for (bound, count) in zip(CommitTimes.bounds, commits.counts) {
      text += "coach_commit_seconds_bucket{le=\"\(bound.text)\"} \(count)\n"
    }
    text += "coach_commit_seconds_bucket{le=\"+Inf\"} \(commits.count)\n"
    text += "coach_commit_seconds_sum \(Double(commits.nanoseconds) / 1e9)\n"
    text += "coach_commit_seconds_count \(commits.count)\n"
  }

  private mutating func head(_ name: String, _ type: String, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  private mutating func add(_ name: String, _ type: String, _ help: String, _ value: Int) {
    head(name, type, help)
    text += "\(name) \(value)\n"
  }
}
