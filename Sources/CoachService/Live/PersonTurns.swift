internal import Synchronization

/// Who begins a session of a person, and who deletes the person: any number begin at once, and whoever deletes waits for them and has the
/// others wait. So what was begun before is found, and what follows finds nobody of the name.
final class PersonTurns: Sendable {
  private typealias Turns = TurnQueue<Waiter>

  /// Of those whom somebody is at.
  private let people = Mutex<[String: Turns]>([:])

  /// How many people somebody is at.
  var count: Int { people.withLock { $0.count } }

  /// Does what adds something for a person, beside others that do.
  ///
  /// - Throws: what `body` throws.
  func sharing<Value>(_ person: String, _ body: () async throws -> Value) async throws -> Value {
    try await turn(.besideOthers, person, body)
  }

  /// Deletes a person, while nobody adds anything for them.
  ///
  /// - Throws: what `body` throws.
  func deleting<Value>(_ person: String, _ body: () async throws -> Value) async throws -> Value {
    try await turn(.alone, person, body)
  }

  private func turn<Value>(
    _ kind: Turns.Kind, _ person: String, _ body: () async throws -> Value
  ) async throws -> Value {
    await Waiter.wait { waiter in people.withLock { $0[person, default: Turns()].ask(waiter, for: kind) } }
    defer { end(kind, person) }
    return try await body()
  }

  private func end(_ kind: Turns.Kind, _ person: String) {
    people.withLock { people -> [Waiter] in
      guard let going = people[person]?.end(kind) else { return [] }
      if people[person]?.isIdle ?? false { people[person] = nil }
      return going
    }.letGo()
  }
}
