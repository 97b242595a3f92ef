import CoachService
import SessionStore
import TextFormats
import WorkoutHistory
import WorkoutSession

/// `coach key create`: a secret with which an app of a person writes.
enum KeyCreateCommand {
  /// Makes the key and shows it, once.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    guard let person = parsed[KeyOptions.person] else {
      throw CommandFailure("--person is needed: expected the name of a person", .usage)
    }
    guard ProfileFileName.isName(person) else {
      throw CommandFailure("--person: expected the name of a person", .usage)
    }
    let request = try parsed[KeyOptions.request].map { try read($0, of: person) }
    let place = try StoreOfService(parsed, for: .changing)
    let now = try await place.store.now()
    if let path = parsed[KeyOptions.request], let request, let dataFolder = place.dataFolder,
      let problem = request.lastingProblem(person: person, in: dataFolder, now: now)
    {
      throw CommandFailure("\(path): no session can be begun with it: \(problem)", .unusableData)
    }
    let made = IssuedSecret.key(person, request: request?.text, days: parsed[TokenOptions.days], now: now)
    let store = place.store
    try await store.add(made.grant)
    let known = try await store.url()
    await store.close()
    await place.audit(.keyCreated, subject: made.grant.caller.id, at: now)
    place.reportUnknownPerson(person, console)
    if let dataFolder = place.dataFolder,
      let problem = KeyRequest.problem(request, person: person, in: dataFolder, now: now)
    {
      console.complain("the key cannot begin a session yet: \(problem)")
    }
    let url = parsed[ServeOptions.publicURL] ?? known ?? "http://\(ListenAddress.usual)"
    guard parsed[OutputOptions.format] == .text else {
      var writer = JSONWriter()
      made.writeKey(url: url, warning: nil, to: &writer)
      try console.write(writer.bytes)
      return 0
    }
    try console.line("\(url)/v1/in/\(made.secret)")
    console.complain(
      "key \(made.grant.caller.id), until \(made.grant.expiresAt): it is shown this once; type the URL into the app")
    return 0
  }

  private static func read(_ path: String, of person: String) throws -> KeyRequest {
    let bytes = try POSIXFile(reading: path).readJSON(maximumBytes: 64 << 10)
    let request: KeyRequest
    do throws(JSONError) { request = try KeyRequest(json: bytes) } catch {
      throw CommandFailure("\(path): \(error)", .unusableData)
    }
    guard request.person == nil || request.person == person else {
      throw CommandFailure("\(path): person: expected the person of the key, \(person)", .unusableData)
    }
    return request
  }
}

/// `coach key list`: who writes.
enum KeyListCommand {
  /// Prints the keys without their secrets.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    try await AccessList.run("keys", empty: "no key: `coach key create` makes one", parsed, console) { store in
      try await store.grants().filter { $0.caller.kind == .key }
    } record: { grant, writer in
      grant.writeKeyObject(to: &writer)
    } line: { grant in
      "\(grant.caller.id)  of \(grant.caller.person ?? "nobody")  until \(grant.expiresAt)"
    }
  }
}

/// `coach key revoke`: nothing is taken any more that comes with it.
enum KeyRevokeCommand {
  /// Revokes a key.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    try await SecretRevocation.run(parsed[Operands.key], .key, parsed, console)
  }
}
