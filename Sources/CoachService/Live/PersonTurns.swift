internal import Synchronization

/// Who begins a session of a person, and who deletes the person: any number begin at once, and whoever deletes waits for them and has the
/// others wait. So what was begun before is found, and what follows finds nobody of the name.
final class PersonTurns: Sendable {
  private struct Turns {
    /// How many begin.
    var sharing = 0
    var isDeleting = false
    /// Those that wait, the first to go first.
    var waiting: [(deletes: Bool, continuation: CheckedContinuation<Void, Never>)] = []

    /// Lets those go that may, and takes note of them.
    mutating func next() -> [CheckedContinuation<Void, Never>] {
      var going: [CheckedContinuation<Void, Never>] = []
      while let first = waiting.first, !isDeleting, !first.deletes || sharing == 0 {
        if first.deletes { isDeleting = true } else { sharing += 1 }
        going.append(waiting.removeFirst().continuation)
      }
      return going
    }
  }

  private let people = Mutex<[String: Turns]>([:])

  /// How many people somebody is at.
  var count: Int { people.withLock { $0.count } }

  /// Does what adds something for a person, beside others that do.
  ///
  /// - Throws: what `body` throws.
  func sharing<Value>(_ person: String, _ body: () async throws -> Value) async throws -> Value {
    await enter(person, deletes: false)
    defer { leave(person, deletes: false) }
    return try await body()
  }

  /// Deletes a person, while nobody adds anything for them.
  ///
  /// - Throws: what `body` throws.
  func deleting<Value>(_ person: String, _ body: () async throws -> Value) async throws -> Value {
    await enter(person, deletes: true)
    defer { leave(person, deletes: true) }
    return try await body()
  }

  private func enter(_ person: String, deletes: Bool) async {
    await withCheckedContinuation { continuation in
      let going = people.withLock { people in
        people[person, default: Turns()].waiting.append((deletes, continuation))
        return people[person]?.next() ?? []
      }
      for continuation in going { continuation.resume() }
    }
  }

  private func leave(_ person: String, deletes: Bool) {
    let going = people.withLock { people -> [CheckedContinuation<Void, Never>] in
      guard var turns = people[person] else { return [] }
      if deletes { turns.isDeleting = false } else { turns.sharing -= 1 }
      let going = turns.next()
      people[person] = turns.sharing == 0 && !turns.isDeleting ? nil : turns
      return going
    }
    for continuation in going { continuation.resume() }
  }
}
