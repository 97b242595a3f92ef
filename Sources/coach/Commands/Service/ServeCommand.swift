import ActivityRecognition
import CoachService
import Glibc
import TextFormats
import WorkoutHistory
import WorkoutSession

/// `coach serve`: sessions over HTTP.
struct ServeCommand {
  private let parsed: ParsedArguments
  private let console: Console

  init(_ parsed: ParsedArguments, _ console: Console) {
    self.parsed = parsed
    self.console = console
  }

  /// Serves until a signal comes.
  func run() async throws -> Int32 {
    let interrupts = Interrupts()
    let address = parsed[ServeOptions.listen]
    guard parsed[ServeOptions.certificate] == nil || !parsed[ServeOptions.isBehindProxy] else {
      throw CommandFailure("--tls-certificate and --behind-proxy: expected one of them", .usage)
    }
    let certificate = try certificateFiles()
    let tls = try certificate?.read()
    let readAt = MonotonicClock.now
    guard address.isLoopback || tls != nil || parsed[ServeOptions.isBehindProxy] else {
      throw CommandFailure(
        "--listen \(address): others can reach this address: expected --tls-certificate and --tls-key, or --behind-proxy",
        .usage)
    }
    let openID = try provider(address)
    var models: [SharedModel] = []
    for path in parsed[ServeOptions.recognize] {
      let model = try SharedModel(path: path)
      guard !models.contains(where: { $0.name == model.name }) else {
        throw CommandFailure("--recognize: two models are called \(model.name): expected one of each name", .usage)
      }
      models.append(model)
    }
    let dataFolder = try DataFolder.path(parsed[OutputOptions.dataFolder])
    let lock = try isOfSeveral ? nil : ServiceFolderLock.take(dataFolder)
    defer { lock?.release() }
    let (socket, bound) = try address.listen()
    let metricsListener = try parsed[ServeOptions.metrics]?.listen()
    var settings = ServiceSettings(dataFolder: dataFolder)
    settings.models = models
    settings.motionLog = parsed[SessionOptions.motionLog]
    settings.publicURL = parsed[ServeOptions.publicURL]
    settings.tls = tls
    settings.openID = openID
    settings.isBehindProxy = parsed[ServeOptions.isBehindProxy]
    settings.isReachable = !address.isLoopback
    settings.logsJSON = parsed[OutputOptions.format] != .text
    let url = (tls == nil ? "http://" : "https://") + "\(bound)"
    lock?.note(url: url)
    settings.fleet = try fleet(listeningAt: url, bound)
    let service = Service(settings, url: url)
    let ending = ServiceEnding(interrupts, hangupRenews: tls != nil)
    detachTerminals()
    let server: HTTPServer
    let metricsServer: HTTPServer?
    do {
      try await service.open()
      var serving = HTTPServerSettings()
      serving.tls = tls
      serving.tally = service.metrics.connections
      server = try HTTPServer(listener: socket, settings: serving, handler: service.handler)
      metricsServer = try metricsListener.map { listener throws(HTTPServer.Unavailable) in
        try HTTPServer(listener: listener.0, handler: MetricsHandler(service))
      }
    } catch let error as HTTPServer.Unavailable {
      throw CommandFailure("\(error)", .unavailable)
    }
    try announce(url)
    if settings.publicURL == nil, bound.isEverywhere {
      console.complain(
        "--listen \(bound): links and URLs of keys begin with \(url), which others cannot open: expected --public-url")
    }
    if TerminalFacts(descriptor: 1, color: .auto).isTerminal {
      let now = try await service.store.now()
      let link = try await TokenLinkCommand.make(in: service.store, person: nil, now: now)
      service.audit.note(.linkCreated, by: nil, at: now)
      try console.line("sign in: \(link.url(of: service.url))")
      try console.flush()
    }
    let manager = SystemdNotice.ofProcess
    manager?.notify(.ready)
    let notices = Notices()
    // What is unfinished in the cache of an instance goes on by the database.
    let recovery =
      settings.fleet == nil
      ? StartupRecovery.beside(dataFolder, after: { await service.waitForSessions() }) { notices.add($0) } : nil
    let watch = watch(certificate, shown: tls, readAt, by: server, service.metrics, notices)
    await serve(service, until: ending, watch, notices)
    manager?.notify(.stopping)
    service.beginToStop()
    await metricsServer?.stop()
    await server.stop()
    await service.close()
    recovery?.cancel()
    await recovery?.value
    return 0
  }

  /// Keeps a terminal that takes nothing, as after Ctrl-S, from holding up whoever answers requests, and the end.
  private func detachTerminals() {
    console.detachTerminals(patience: 200_000_000)
    guard let outlet = console.complaints as? TerminalOutlet else { return }
    ServiceErrorStream.give { _ = try? outlet.take($0.span) }
  }

  /// Whether the data folder is the cache of an instance of several, or is to be: what is asked for without a database then is a
  /// mistake, which is explained.
  private var isOfSeveral: Bool {
    parsed[ServeOptions.database] != nil || parsed[ServeOptions.instanceURL] != nil
      || parsed[ServeOptions.replica] != nil
  }

  /// The other instances that share a database; `nil` where none is asked for.
  private func fleet(listeningAt url: String, _ bound: ListenAddress) throws -> ServiceFleet? {
    let replica = try StoreOfService.replica(parsed)
    guard let database = try StoreOfService.database(parsed) else {
      guard parsed[ServeOptions.instanceURL] == nil else {
        throw CommandFailure("--instance-url: expected --database beside it", .usage)
      }
      return nil
    }
    guard !bound.isEverywhere || parsed[ServeOptions.instanceURL] != nil else {
      throw CommandFailure(
        "--listen \(bound): other instances cannot know from it where this one is reached: expected --instance-url",
        .usage)
    }
    return ServiceFleet(database, url: parsed[ServeOptions.instanceURL] ?? url, replica: replica)
  }

  private func announce(_ url: String) throws {
    if parsed[OutputOptions.format] == .text {
      try console.line("listening on \(url)")
    } else {
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("version", SessionRecords.version)
        writer.member("type", "listening")
        writer.member("url", url)
      }
      writer.endLine()
      try console.write(writer.bytes)
    }
    try console.flush()
  }

  /// Does what has to be done each second, until a signal comes.
  private func serve(
    _ service: Service, until ending: ServiceEnding, _ watch: CertificateWatch?, _ notices: Notices
  ) async {
    var turns = Service.Turn.allCases.map { turn in
      Task {
        while !Task.isCancelled {
          await service.take(turn)
          try? await Task.sleep(nanoseconds: 500_000_000)
        }
      }
    }
    if let watch {
      turns.append(
        Task {
          while !Task.isCancelled {
            watch.look(isAsked: ending.takeRenewal(), now: MonotonicClock.now, time: SystemWallClock.now())
            try? await Task.sleep(nanoseconds: 500_000_000)
          }
        })
    }
    await ending.wait { for line in notices.take() { console.complain(line) } }
    for turn in turns { turn.cancel() }
  }

  /// The provider that people sign in with; `nil` for none.
  private func provider(_ address: ListenAddress) throws -> OpenIDSettings? {
    let secretFile = parsed[ServeOptions.clientSecret]
    guard let issuer = parsed[ServeOptions.issuer], let clientID = parsed[ServeOptions.clientID] else {
      guard parsed[ServeOptions.issuer] == nil, parsed[ServeOptions.clientID] == nil, secretFile == nil else {
        throw CommandFailure("--oidc-issuer and --oidc-client-id: expected both", .usage)
      }
      return nil
    }
    guard address.isLoopback && !parsed[ServeOptions.isBehindProxy] || parsed[ServeOptions.publicURL] != nil else {
      throw CommandFailure(
        "--oidc-issuer: the provider sends browsers back to where the service is reached: expected --public-url", .usage
      )
    }
    let secret = try secretFile.map { path in
      let bytes = TextMark.dropped(from: try POSIXFile(reading: path).readAll(maximumBytes: 4 << 10))
      let end = bytes.lastIndex { $0 != 0x0A && $0 != 0x0D && $0 != 0x20 } ?? -1
      let secret = Secret(String(decoding: bytes[...end], as: UTF8.self))
      guard secret.isHeaderText else {
        throw CommandFailure("\(path): expected the secret of the client, in one line", .unusableData)
      }
      return secret
    }
    return OpenIDSettings(issuer: issuer, clientID: clientID, clientSecret: secret)
  }

  /// What looks whether the certificate was renewed; `nil` for plain HTTP.
  private func watch(
    _ files: CertificateFiles?, shown: HTTPServerSettings.TLS?, _ readAt: Int64, by server: HTTPServer,
    _ metrics: ServiceMetrics, _ notices: Notices
  ) -> CertificateWatch? {
    guard let files, let shown, let span = server.certificateSpan else { return nil }
    metrics.note(certificate: span)
    return CertificateWatch(files, shown: shown, span: span, now: readAt) { texts in
      let span = try server.renew(texts)
      metrics.note(certificate: span)
      return span
    } say: {
      notices.add($0)
    }
  }

  private func certificateFiles() throws -> CertificateFiles? {
    switch (parsed[ServeOptions.certificate], parsed[ServeOptions.key]) {
    case (nil, nil): return nil
    case (let certificate?, let key?):
      return CertificateFiles(certificate: certificate, key: key)
    case (_?, nil), (nil, _?): throw CommandFailure("--tls-certificate and --tls-key: expected both", .usage)
    }
  }
}
