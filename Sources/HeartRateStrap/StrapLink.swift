/// The way to one strap and back to it: what is wanted next, given what has happened until now.
///
/// It is pure: it reaches no bus and no clock. Until the first measurement can come, what is wrong ends it; after that
/// nothing does, it tries again for as long as it is asked. Once a strap was chosen it is never exchanged for another.
package struct StrapLink: Sendable {
  /// Where it stands.
  enum Phase: Hashable, Sendable {
    /// Nothing was begun.
    case idle
    /// BlueZ was asked what there is.
    case listing
    /// Until an adapter is there and on.
    case unready
    /// An adapter looks for devices.
    case searching
    /// A device is being connected.
    case connecting
    /// It is connected, and what it offers becomes known.
    case resolving
    /// It was asked to send.
    case subscribing
    /// It sends.
    case listening
    /// It sends no more, and was asked once more.
    case renewing
    /// Nothing is tried for a while.
    case pausing
    /// Nothing is wanted any more.
    case over
  }

  /// Which strap is meant.
  package let choice: StrapChoice
  /// The strap that was chosen.
  package private(set) var device: StrapDevice?
  /// Whether it has sent, or was about to, so that nothing ends it any more.
  package private(set) var isOpen = false
  /// When it wants to be asked again although nothing has happened, in nanoseconds of the clock of `now`.
  package private(set) var deadline: Int64?

  private(set) var phase = Phase.idle
  private var tree = BluezTree()
  private var contact = StrapContact()
  private var battery = StrapBattery()
  private var absence = StrapAbsence()
  private var actions: [StrapAction] = []
  private var isReachingBus = false
  private var isListed = false
  /// When the first strap has to be found, then when it has to send.
  private var openUntil: Int64?
  private var seenSince: Int64?
  private var failures = 0
  private var lastTrouble = ""
  private var discovering: String?
  private var measurement: String?
  private var connectedByUs = false

  /// A way to a strap that was not begun.
  package init(_ choice: StrapChoice) { self.choice = choice }

  // MARK: - What happens

  /// Begins; the first call.
  package mutating func begin(now: Int64) -> [StrapAction] {
    list(now)
    return take()
  }

  /// Takes what has happened.
  package mutating func handle(_ event: BluezEvent, now: Int64) -> [StrapAction] {
    guard phase != .over, phase != .idle else { return [] }
    tree.take(event)
    switch event {
    case .objects:
      isListed = true
      if phase == .listing { approach(now) }
    case .appeared: if phase != .listing { list(now) }
    case .vanished:
      // Before it was asked, BlueZ may not run yet: asking starts it.
      if phase != .listing { forget(.noBluez, "BlueZ has stopped", now) }
    case .lost(let error):
      isReachingBus = false
      forget(StrapProblem(error), "the system bus cannot be reached", now)
    case .answered(let call, let value): answered(call, value, now)
    case .refused(let call, let error): refused(call, error, now)
    case .changed(let path, BluezName.characteristic, let properties, _) where path == measurement:
      if let bytes = properties["Value"]?.bytes { take(measurement: bytes, now) }
    case .added, .removed, .changed: break
    }
    look(now)
    return take()
  }

  /// Advances to `now`; returns what is due.
  package mutating func tick(now: Int64) -> [StrapAction] {
    guard phase != .over, let due = deadline, now >= due else { return [] }
    deadline = nil
    switch phase {
    case .idle, .over: break
    case .listing: setBack(.other("it does not answer"), "BlueZ does not answer", now)
    case .unready: noAdapter(now)
    case .searching: stillSearching(now)
    case .connecting, .resolving, .subscribing:
      let trouble = lastTrouble.isEmpty ? "it does not answer" : lastTrouble
      setBack(.notConnected(fullName, reason: trouble), nil, now, lettingGo: true)
    case .listening: renew(now)
    case .renewing: setBack(.notConnected(fullName, reason: "it sends nothing"), nil, now, lettingGo: true)
    case .pausing: isListed ? approach(now) : list(now)
    }
    return take()
  }

  /// Lets go of everything. What was connected for this is connected no more, so that others can have it and its battery
  /// lasts; what others had connected before stays so.
  package mutating func end() -> [StrapAction] {
    guard phase != .over else { return [] }
    letGo()
    return take()
  }

  private mutating func letGo() {
    stopSearching()
    if isReachingBus, connectedByUs || phase == .connecting, let device {
      actions.append(.call(.disconnect(device.path)))
    }
    actions.append(.close)
    enter(.over, until: nil)
  }

  private mutating func take() -> [StrapAction] {
    defer { actions.removeAll() }
    return actions
  }

  // MARK: - The way to it

  /// Asks what there is.
  private mutating func list(_ now: Int64) {
    if !isReachingBus { actions.append(.open) }
    isReachingBus = true
    actions.append(.call(.list))
    isListed = false
    enter(.listing, until: now + StrapPatience.answer)
  }

  /// Goes the next step from what is known.
  private mutating func approach(_ now: Int64) {
    guard case .ready(let adapter) = tree.adapter else { return enter(.unready, until: now + StrapPatience.adapter) }
    if let device {
      // It may be known no more, after BlueZ has forgotten it: then it is looked for.
      guard let known = tree.device(address: device.address) else { return search(adapter, now) }
      return connect(known, now)
    }
    search(adapter, now)
  }

  private mutating func search(_ adapter: String, _ now: Int64) {
    if openUntil == nil { openUntil = now + StrapPatience.search }
    if discovering != adapter {
      stopSearching()
      discovering = adapter
      actions += [.call(.setFilter(adapter)), .call(.startDiscovery(adapter))]
    }
    enter(.searching, until: isOpen ? nil : openUntil)
  }

  private mutating func stopSearching() {
    if let adapter = discovering, isReachingBus { actions.append(.call(.stopDiscovery(adapter))) }
    discovering = nil
  }

  private mutating func connect(_ known: StrapDevice, _ now: Int64) {
    stopSearching()
    if device == nil { openUntil = now + StrapPatience.connection }
    device = known
    measurement = nil
    lastTrouble = ""
    if known.isConnected { return enter(.resolving, until: attemptEnd(now)) }
    actions.append(.call(.connect(known.path)))
    enter(.connecting, until: attemptEnd(now))
  }

  private func attemptEnd(_ now: Int64) -> Int64 {
    let end = now + StrapPatience.attempt
    guard !isOpen, let openUntil else { return end }
    return min(end, openUntil)
  }

  /// Looks whether what is known now leads further.
  private mutating func look(_ now: Int64) {
    if let device, let known = tree.device(address: device.address) { self.device = known }
    switch phase {
    case .unready: if case .ready = tree.adapter { approach(now) }
    case .searching: lookAround(now)
    case .connecting, .resolving:
      guard let device, let known = tree.device(address: device.address) else {
        return setBack(.notConnected(fullName, reason: "it is gone again"), nil, now)
      }
      if known.isConnected, known.isResolved { subscribe(known, now) }
    case .subscribing, .listening, .renewing:
      guard let device, let known = tree.device(address: device.address), known.isConnected else {
        return setBack(.notConnected(fullName, reason: "the connection was lost"), "the connection is lost", now)
      }
      if phase != .subscribing { notice(battery.percent(known.batteryPercent)) }
    case .idle, .listing, .pausing, .over: break
    }
  }

  private mutating func lookAround(_ now: Int64) {
    guard case .ready = tree.adapter else {
      discovering = nil
      return approach(now)
    }
    if let device {
      if let known = tree.device(address: device.address) { connect(known, now) }
      return
    }
    let here = tree.devices
    guard !choice.candidates(among: here).isEmpty else { return seenSince = nil }
    let since = seenSince ?? now
    seenSince = since
    switch choice.decide(among: here, isSettled: now - since >= StrapPatience.settling) {
    case .wait: deadline = [deadline, since + StrapPatience.settling].compactMap(\.self).min()
    case .take(let device): connect(device, now)
    case .several(let devices): fail(.several(devices.map(\.fullName)))
    }
  }

  private mutating func stillSearching(_ now: Int64) {
    deadline = openUntil
    lookAround(now)
    guard phase == .searching, let openUntil, now >= openUntil else { return }
    if device != nil { return fail(.notConnected(fullName, reason: "it is gone again")) }
    let others = tree.devices.filter { $0.isHere && $0.offersHeartRate }.map(\.fullName)
    let seconds = Int(StrapPatience.search / 1_000_000_000)
    fail(.notFound(choice, seconds: seconds, others: others))
  }

  private mutating func subscribe(_ known: StrapDevice, _ now: Int64) {
    guard
      let path = tree.characteristic(BluezName.measurement, of: BluezName.heartRate, below: known.path)
    else {
      return setBack(.noHeartRate(fullName), "it has no heart-rate service", now, lettingGo: true, isFinal: true)
    }
    measurement = path
    actions.append(.call(.startNotify(path)))
    enter(.subscribing, until: attemptEnd(now))
  }

  // MARK: - What BlueZ answers

  private mutating func answered(_ call: BluezCall, _ value: [UInt8], _ now: Int64) {
    switch call {
    case .connect(let path) where path == device?.path:
      connectedByUs = true
      if phase == .connecting { enter(.resolving, until: attemptEnd(now)) }
    case .startNotify(let path) where path == measurement && phase == .subscribing: listen(now)
    case .read: notice(battery.percent(value.first.flatMap { $0 <= 100 ? Int($0) : nil }))
    case .list, .setFilter, .startDiscovery, .stopDiscovery, .connect, .disconnect, .startNotify, .stopNotify: break
    }
  }

  private mutating func refused(_ call: BluezCall, _ error: BluezError, _ now: Int64) {
    switch call {
    case .list where phase == .listing:
      setBack(StrapProblem(error), "\(StrapProblem(error))", now, isFinal: true)
    case .startDiscovery where phase == .searching && error.kind != .alreadyDone:
      discovering = nil
      setBack(StrapProblem(error), "\(StrapProblem(error))", now, isFinal: true)
    case .connect where phase == .connecting:
      if error.kind == .alreadyDone { return enter(.resolving, until: attemptEnd(now)) }
      lastTrouble = error.words
      let problem =
        error.kind == .accessDenied ? .noPermission : StrapProblem.notConnected(fullName, reason: error.words)
      setBack(problem, nil, now, isFinal: error.kind == .accessDenied)
    case .startNotify(let path) where path == measurement && phase == .subscribing:
      if error.kind == .alreadyDone { return listen(now) }
      lastTrouble = error.words
      let problem =
        error.kind == .accessDenied ? .noPermission : StrapProblem.notConnected(fullName, reason: error.words)
      setBack(problem, nil, now, lettingGo: true, isFinal: error.kind == .accessDenied)
    case .list, .setFilter, .startDiscovery, .stopDiscovery, .connect, .disconnect, .startNotify, .stopNotify, .read:
      break
    }
  }

  // MARK: - While it sends

  private mutating func listen(_ now: Int64) {
    if !isOpen {
      isOpen = true
      notice("connected")
    }
    enter(.listening, until: now + StrapPatience.silence)
    guard let device else { return }
    notice(battery.percent(device.batteryPercent))
    if device.batteryPercent == nil,
      let path = tree.characteristic(BluezName.batteryLevel, of: BluezName.batteryService, below: device.path)
    {
      actions.append(.call(.read(path)))
    }
  }

  private mutating func take(measurement bytes: [UInt8], _ now: Int64) {
    guard [.subscribing, .listening, .renewing].contains(phase) else { return }
    if phase != .subscribing { enter(.listening, until: now + StrapPatience.silence) }
    failures = 0
    notice(absence.end(now))
    do {
      let measurement = try HeartRateMeasurement(bytes)
      notice(contact.take(measurement))
      if let beats = measurement.usableBeatsPerMinute {
        actions.append(.report(.heartRate(beats, intervals: measurement.rrIntervals)))
      }
    } catch {
      notice(contact.take(error))
    }
  }

  private mutating func renew(_ now: Int64) {
    guard let measurement else { return }
    if let sentence = absence.begin("it sends nothing", now - StrapPatience.silence) { notice(sentence) }
    actions += [.call(.stopNotify(measurement)), .call(.startNotify(measurement))]
    enter(.renewing, until: now + StrapPatience.silence)
  }

  // MARK: - What goes wrong

  private mutating func noAdapter(_ now: Int64) {
    switch tree.adapter {
    case .ready: approach(now)
    case .none: setBack(.noAdapter, "\(StrapProblem.noAdapter)", now, isFinal: true)
    case .off(let name, let isBlocked):
      let problem = StrapProblem.adapterOff(name, isBlocked: isBlocked)
      setBack(problem, "\(problem)", now, isFinal: true)
    }
  }

  /// Everything that BlueZ had reported is gone.
  private mutating func forget(_ problem: StrapProblem, _ reason: String, _ now: Int64) {
    discovering = nil
    connectedByUs = false
    isListed = false
    if !isReachingBus { actions.append(.close) }
    setBack(problem, reason, now, isFinal: true)
  }

  /// One try has failed: ends what has not begun, when that is final or there was time enough, and tries again otherwise.
  ///
  /// - Parameters:
  ///   - reason: what people are notified of, once in an absence.
  ///   - lettingGo: whether a connection, or the try to make one, is given up.
  private mutating func setBack(
    _ problem: StrapProblem, _ reason: String?, _ now: Int64, lettingGo: Bool = false, isFinal: Bool = false
  ) {
    if lettingGo, let device, isReachingBus { actions.append(.call(.disconnect(device.path))) }
    if lettingGo { connectedByUs = false }
    measurement = nil
    phase = .pausing
    let pause = StrapPatience.pause(afterFailures: failures)
    if !isOpen {
      let isLate = openUntil.map { now + pause >= $0 } ?? true
      if isFinal || isLate { return fail(problem) }
    } else if let sentence = absence.begin(reason, now) {
      notice(sentence)
    }
    failures += 1
    enter(.pausing, until: now + pause)
  }

  private mutating func fail(_ problem: StrapProblem) {
    actions.append(.report(.failed(problem)))
    letGo()
  }

  // MARK: - Small parts

  private mutating func enter(_ phase: Phase, until deadline: Int64?) {
    self.phase = phase
    self.deadline = deadline
  }

  private mutating func notice(_ text: String?) { if let text { actions.append(.report(.notice(text))) } }

  private var fullName: String { device?.fullName ?? "the strap" }
}
