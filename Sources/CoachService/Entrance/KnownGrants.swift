internal import TextFormats

/// The grants that hold, as they were read last, and what their use has changed since.
struct KnownGrants {
  /// How much later a sign-in has to end for that to be written down, in nanoseconds.
  private static let extensionStep: Int64 = 300_000_000_000

  private var directory = AccessDirectory()
  /// The reading that the directory is of, without its grants.
  private var reading = GrantReading(number: 0, version: -1, grants: [])
  /// Whether another process has changed something that nobody has looked at yet.
  private var isChanged = false
  /// Sign-ins that were used and hold for longer, which the store does not know yet.
  private var extended: [String: WallClockTime] = [:]

  /// The number of the reading.
  var number: Int { reading.number }
  /// The number that changes when another process changes something, as it was read.
  var version: Int { reading.version }

  /// The grant of a secret of a kind; `nil` for one that does not hold.
  func grant(_ secret: String, _ kind: Caller.Kind, now: WallClockTime) -> AccessGrant? {
    guard let grant = directory.grant(of: secret, now: now), grant.caller.kind == kind else { return nil }
    return grant
  }

  /// Whether a secret holds, of whatever kind.
  func holds(_ secret: String, now: WallClockTime) -> Bool { directory.grant(of: secret, now: now) != nil }

  /// Who somebody is by now, whose secret was found before: one that was revoked, or is over, is nobody's.
  func current(_ caller: Caller, now: WallClockTime) -> Caller? { directory.current(caller, now: now) }

  /// Whether somebody is let in still, as who they were when they asked.
  func holds(_ caller: Caller, now: WallClockTime) -> Bool { directory.holds(caller, now: now) }

  /// Finds a sign-in, which holds for longer by being used.
  mutating func signIn(of secret: String, now: WallClockTime) -> Caller? {
    guard let grant = grant(secret, .cookie, now: now) else { return nil }
    let end = WallClockTime(
      nanoseconds: min(
        now.nanoseconds + SignIns.idleSeconds * 1_000_000_000,
        grant.createdAt.nanoseconds + SignIns.longestSeconds * 1_000_000_000))
    if end.nanoseconds - grant.expiresAt.nanoseconds > Self.extensionStep {
      directory.extend(grant, until: end)
      extended[grant.caller.id] = end
    }
    return grant.caller
  }

  /// Takes what was read, unless something newer is there: a secret that was revoked does not come back.
  ///
  /// - Returns: whether it was taken.
  @discardableResult
  mutating func take(_ reading: GrantReading) -> Bool {
    guard reading.number > self.reading.number else { return false }
    if reading.version != self.reading.version { isChanged = true }
    directory = AccessDirectory(reading.grants)
    self.reading = GrantReading(number: reading.number, version: reading.version, grants: [])
    return true
  }

  /// Whether another process has changed something since this was asked last.
  mutating func takeChange() -> Bool {
    defer { isChanged = false }
    return isChanged
  }

  /// Has the next ``takeChange()`` say so once more.
  mutating func keepChange() { isChanged = true }

  /// The sign-ins that hold for longer since this was asked last.
  mutating func takeExtended() -> [String: WallClockTime] {
    defer { extended = [:] }
    return extended
  }
}
