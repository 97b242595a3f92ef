internal import FleetStore
internal import Synchronization
internal import TextFormats

/// Reads the grants from the store into memory, and knows whether the store is away: whoever only reads is believed for a short time then.
final class GrantReader: Sendable {
  /// What is known of the grants in memory when somebody asks.
  enum Confirmation: Hashable, Sendable {
    /// They are as they are now.
    case now
    /// The store cannot be reached; a short time ago they were so.
    case lately
    /// Nobody can say.
    case no
  }

  /// Looks at what a change may have brought beside other secrets, and gives what takes it over, which waits for nothing.
  typealias Follower = @Sendable () async throws -> @Sendable () -> Void

  /// What is known of a store that does not answer.
  private struct Outage {
    var isAway = false
    /// The question that is under way: never more than one, since each waits for the store until it is given up.
    var question: Task<Void, Never>?
    /// Counts questions.
    var number = 0
    /// When the last one began.
    var askedAt = Int64.min / 2
  }

  /// How long the secrets in memory are believed of who only reads while the store cannot be reached, in seconds: whoever revokes one at
  /// an instance that reaches it is obeyed here by then.
  static let secondsWithoutStore: Int64 = 30
  /// How long a look for who only reads may take before the store is taken to be away, in nanoseconds.
  private static let lookNanoseconds: UInt64 = 2_000_000_000
  /// How long two questions lie apart whether a store that is away is back, in nanoseconds, while nobody waits for it.
  private static let probeNanoseconds: Int64 = 1_000_000_000
  /// How often the secrets are read at once, when one change follows another.
  private static let mostRounds = 3

  private let store: ServiceStore
  private let memory: AccessMemory
  /// Nanoseconds of a clock that only goes forward, and goes on while the machine sleeps.
  private let elapsed: @Sendable () -> Int64
  /// What is looked at with each change before the secrets are those of after it.
  private let following = Mutex<Follower?>(nil)
  private let outage = Mutex(Outage())
  private let looks = SharedLook()
  private let confirmations = SharedLook(.oneAfterAnother)
  /// Those at the file of a service alone, which answers at once.
  private let fileLooks = SharedLook(.oneAfterAnother, apart: 0)
  /// What the last look of ``confirm(onlyReads:)`` or ``confirmByFile()`` found.
  private let lastLook = Mutex(Confirmation.no)
  /// When the newest look began that found the store, by ``elapsed``; the secrets in memory are those of then or later.
  private let confirmedAt = Mutex<Int64?>(nil)

  /// Nothing was read.
  init(_ store: ServiceStore, into memory: AccessMemory, elapsed: @escaping @Sendable () -> Int64) {
    self.store = store
    self.memory = memory
    self.elapsed = elapsed
  }

  /// Has something be looked at with each change, before anybody is let in by the secrets of after it.
  func followChanges(_ look: @escaping Follower) { following.withLock { $0 = look } }

  /// Reads the grants again when another process has changed something.
  ///
  /// - Parameter always: whether to read them also when nobody else has, because this process did.
  /// - Throws: what the store throws.
  func refresh(always: Bool) async throws {
    let begin = elapsed()
    for (id, time) in memory.grants({ grants, _ in grants.takeExtended() }) { try await store.extend(id, until: time) }
    var known = always ? nil : memory.grants { grants, _ in grants.version }
    var newest: (reading: GrantReading, takeOver: (@Sendable () -> Void)?)?
    // Whose something is and who asks are of the same moment, or somebody who is called otherwise by now would be a stranger.
    for _ in 0..<Self.mostRounds {
      guard let reading = try await store.readGrants(unless: known) else { break }
      let follow = following.withLock { $0 }
      newest = (reading, try await follow?())
      known = reading.version
    }
    if let newest {
      // In one step: nobody sees the one without the other.
      memory.grants { grants, _ in
        if grants.take(newest.reading) { newest.takeOver?() }
      }
    }
    confirmedAt.withLock { $0 = max($0 ?? begin, begin) }
    outage.withLock { $0.isAway = false }
  }

  /// Looks whether somebody has made a secret since the grants were read. Those that come at the same time share one look, and
  /// there are a hundred a second at most.
  func lookForNew() async {
    if isAway { await question().value }
    if !isAway { await looks.take { try? await self.refresh(always: false) } }
  }

  /// Looks whether another instance has changed the grants since this was called. Those that come at the same time share one look, and
  /// there are a hundred a second at most.
  ///
  /// - Parameter onlyReads: whether what is in memory will do while the store is away: then nobody waits for one that does not answer,
  ///   but for two seconds when that begins.
  func confirm(onlyReads: Bool) async -> Confirmation {
    if isAway {
      if onlyReads {
        askAgain()
        return confirmationWithoutStore
      }
      await question().value
      if isAway { return confirmationWithoutStore }
    }
    await confirmations.take { await self.look() }
    if !onlyReads, isAway {
      await question().value
      guard !isAway else { return confirmationWithoutStore }
      await confirmations.take { await self.look() }
    }
    return lastLook.withLock { $0 }
  }

  /// The same where the store is a file of this machine, which a verb of the terminal may have changed: of that a number is read, and the grants
  /// only where it is another one. Those that come at the same time share one look.
  func confirmByFile() async -> Confirmation {
    await fileLooks.take { await self.lookAtFile() }
    return lastLook.withLock { $0 }
  }

  private func lookAtFile() async {
    let begin = elapsed()
    let found: Confirmation
    do {
      if try await store.dataVersion() == memory.grants({ grants, _ in grants.version }) {
        confirmedAt.withLock { $0 = max($0 ?? begin, begin) }
      } else {
        try await refresh(always: false)
      }
      found = .now
    } catch {
      found = confirmationWithoutStore
    }
    lastLook.withLock { $0 = found }
  }

  /// Asks the store, and waits for the answer as long as somebody who reads may wait.
  private func look() async {
    guard !isAway else { return lastLook.withLock { $0 = confirmationWithoutStore } }
    let question = question(isNew: true)
    let isAnswered = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
      let first = FirstOnly(continuation)
      let limit = Task {
        guard (try? await Task.sleep(nanoseconds: Self.lookNanoseconds)) != nil else { return }
        first.resume(returning: false)
      }
      Task {
        await question.value
        first.resume(returning: true)
        limit.cancel()
      }
    }
    guard !isAnswered else { return }
    // It may have been answered just now.
    let isWaiting = outage.withLock { outage in
      if outage.question != nil { outage.isAway = true }
      return outage.question != nil
    }
    if isWaiting { lastLook.withLock { $0 = confirmationWithoutStore } }
  }

  /// The question that is under way, or a new one.
  ///
  /// - Parameter isNew: whether one that is under way does not do, because somebody has come since it began: then the next one follows it.
  private func question(isNew: Bool = false) -> Task<Void, Never> {
    outage.withLock { outage in
      let earlier = outage.question
      if let earlier, !isNew { return earlier }
      outage.number += 1
      outage.askedAt = MonotonicClock.now
      let number = outage.number
      let question = Task {
        await earlier?.value
        await ask(number)
      }
      outage.question = question
      return question
    }
  }

  /// Asks whether the store is back, once a second, and waits for nothing.
  private func askAgain() {
    let isDue = outage.withLock { $0.question == nil && MonotonicClock.now - $0.askedAt > Self.probeNanoseconds }
    if isDue { _ = question() }
  }

  private func ask(_ number: Int) async {
    let found: Confirmation
    var isAway = false
    do {
      try await refresh(always: false)
      found = .now
    } catch let error as PostgresError where error.isTemporary {
      isAway = true
      found = confirmationWithoutStore
    } catch {
      found = .no
    }
    lastLook.withLock { $0 = found }
    let away = isAway
    outage.withLock { outage in
      outage.isAway = away
      if outage.number == number { outage.question = nil }
    }
  }

  /// Whether the store did not answer when it was asked last.
  private var isAway: Bool { outage.withLock { $0.isAway } }

  /// What is known without the store.
  private var confirmationWithoutStore: Confirmation { wasConfirmedLately ? .lately : .no }

  private var wasConfirmedLately: Bool {
    guard let begin = confirmedAt.withLock({ $0 }) else { return false }
    return elapsed() - begin < Self.secondsWithoutStore * 1_000_000_000
  }
}

/// A continuation of which the first of two that come counts.
private final class FirstOnly: Sendable {
  private let continuation: Mutex<CheckedContinuation<Bool, Never>?>

  init(_ continuation: CheckedContinuation<Bool, Never>) { self.continuation = Mutex(continuation) }

  func resume(returning value: Bool) {
    let waiting = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume(returning: value)
  }
}
