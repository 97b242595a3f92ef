internal import SessionStore
package import TextFormats

/// What became of an object.
package struct UploadOutcome: Sendable {
  /// The ways it can go.
  package enum Status: String, Hashable, Sendable {
    /// It was sent now.
    case sent
    /// The store had it already, and equal.
    case present
    /// It is not in the store, or not known to be.
    case failed
  }

  /// The object.
  package let object: UploadObject
  /// What became of it.
  package let status: Status
  /// How many bytes it has in the store; those of the file when it failed.
  package let bytes: Int
  /// Why it failed.
  package let error: StoreError?
}

/// What an upload came to.
package struct UploadTotals: Hashable, Sendable {
  /// Objects that were sent, that were there already, and that failed.
  package private(set) var sent = 0, present = 0, failed = 0
  /// Bytes of the objects that were sent.
  package private(set) var bytesSent = 0

  /// Totals of nothing.
  package init() {}

  /// Counts an object.
  package mutating func count(_ outcome: UploadOutcome) {
    switch outcome.status {
    case .sent:
      sent += 1
      bytesSent += outcome.bytes
    case .present: present += 1
    case .failed: failed += 1
    }
  }
}

/// Observes an upload, and may end it.
package protocol UploadObserver: AnyObject {
  /// Whether the work is to end.
  var isInterrupted: Bool { get }
  /// Waits some nanoseconds, or until the work is to end.
  func wait(nanoseconds: Int64)
  /// How many bytes are in the store, of those that were not there before.
  func show(_ progress: WorkProgress)
  /// What became of an object.
  func report(_ outcome: UploadOutcome) throws
}

/// Brings objects into a store, one after another: looks whether the store has them, sends those that it has not, again
/// after a while where that may help, and strikes them out of the list of what is pending.
package final class UploadRun {
  private let store: ObjectStore
  private let place: PendingUploads.Place
  private let pending: PendingUploads
  private let backoff: UploadBackoff
  private let observer: any UploadObserver
  /// Bytes that are confirmed, and all that are not known to have been there before.
  private var done = 0, total = 0

  /// Creates a run; nothing is asked yet.
  package init(
    _ store: ObjectStore, at place: PendingUploads.Place, pending: PendingUploads, backoff: UploadBackoff,
    observer: any UploadObserver
  ) {
    self.store = store
    self.place = place
    self.pending = pending
    self.backoff = backoff
    self.observer = observer
  }

  /// Sends what the store lacks. Objects of a session stand one behind another, its manifest last; the manifest waits
  /// for another run when one before it failed.
  ///
  /// - Parameter random: for the waits.
  /// - Returns: the first error; what the store lacks is pending then. One that would meet every object ends the run.
  /// - Throws: `DatabaseError`, or what the observer throws.
  package func send(
    _ objects: [UploadObject], using random: inout some RandomNumberGenerator
  ) throws -> StoreError? {
    done = 0
    total = objects.reduce(0) { $0 + $1.size }
    var first: StoreError?
    var incomplete: String?
    for object in objects {
      if object.role == .file(SessionFolder.manifest), incomplete == object.sessionID { continue }
      do {
        let (status, bytes) = try bring(object, using: &random)
        try pending.remove(object, from: place)
        try observer.report(UploadOutcome(object: object, status: status, bytes: bytes, error: nil))
      } catch let error as StoreError {
        if error.problem == .interrupted { return first ?? error }
        let folder = object.path.folder
        if case .file(let reason) = error.problem, reason.isMissing, FileSystem.lacksFolder(folder) {
          // The session was deleted meanwhile.
          try pending.remove(object.sessionID)
          total -= object.size
          continue
        }
        try observer.report(UploadOutcome(object: object, status: .failed, bytes: object.size, error: error))
        guard error.concernsOneObject else { return error }
        first = first ?? error
        incomplete = object.sessionID
        total -= object.size
      }
    }
    return first
  }

  /// Brings an object into the store, in as many attempts as it takes and may take.
  private func bring(
    _ object: UploadObject, using random: inout some RandomNumberGenerator
  ) throws -> (UploadOutcome.Status, Int) {
    var wasSent = false
    var retry = 0
    while true {
      do {
        let content = try content(of: object)
        let isThere = try store.has(content, at: object.key) { !observer.isInterrupted }
        if !isThere {
          wasSent = true
          try store.put(content, at: object.key, type: object.type, isContinued(bytesSent:))
        }
        if wasSent { done += object.size } else { total -= object.size }
        observer.show(WorkProgress(done: done, total: total))
        return (wasSent ? .sent : .present, content.size)
      } catch let error as StoreError {
        guard error.isTransient, retry < backoff.retries else { throw error }
        observer.wait(nanoseconds: min(store.limit.left, backoff.delay(beforeRetry: retry, using: &random)))
        guard !observer.isInterrupted else { throw StoreError(.interrupted) }
        retry += 1
      }
    }
  }

  /// Shows how far the object is that is being sent; whether to go on.
  private func isContinued(bytesSent: Int) -> Bool {
    observer.show(WorkProgress(done: min(done + bytesSent, total), total: total))
    return !observer.isInterrupted
  }

  private func content(of object: UploadObject) throws -> UploadContent {
    guard !observer.isInterrupted else { throw StoreError(.interrupted) }
    do {
      return try UploadContent(hashing: object.path)
    } catch let error as FileError {
      throw StoreError(.file(error))
    }
  }
}
