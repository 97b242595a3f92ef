import CoachService
import SessionStore
import TextFormats
import WorkoutHistory
import WorkoutSession

/// `coach identity add`: says who somebody is that a provider signs in.
enum IdentityAddCommand {
  /// Keeps it, instead of what was said of the same claim before.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    guard let claim = parsed[IdentityOptions.claim] else {
      throw CommandFailure("--claim is needed: expected NAME=VALUE, such as sub=248289761001", .usage)
    }
    let person = parsed[TokenOptions.person]
    guard (person != nil) != parsed[IdentityOptions.isOwner] else {
      throw CommandFailure("--person or --owner: expected one of them", .usage)
    }
    if let person, !ProfileFileName.isName(person) {
      throw CommandFailure("--person: expected the name of a person", .usage)
    }
    let place = try StoreOfService(parsed, for: .changing)
    let store = place.store
    let known = try await store.issuer()
    guard let issuer = parsed[ServeOptions.issuer]?.url ?? known else {
      throw CommandFailure(
        "--oidc-issuer is needed: no service has run with a provider here: expected its URL", .usage)
    }
    let identity = MappedIdentity(issuer: issuer, claim: claim.name, value: claim.value, person: person)
    let now = try await place.store.now()
    try await store.add(identity, at: now)
    await store.close()
    await place.audit(.identityAdded, subject: identity.id, at: now)
    place.reportUnknownPerson(person, console)
    guard parsed[OutputOptions.format] == .text else {
      var writer = JSONWriter()
      identity.write(to: &writer)
      writer.endLine()
      try console.write(writer.bytes)
      return 0
    }
    try console.line(identity.id)
    return 0
  }
}

/// `coach identity list`: whom a provider signs in.
enum IdentityListCommand {
  /// Prints them, the oldest first.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    try await AccessList.run(
      "identities", empty: "nobody: `coach identity add` says who somebody is", parsed, console
    ) { store in
      try await store.identities()
    } record: { identity, writer in
      identity.write(to: &writer)
    } line: { identity in
      "\(identity.id)  \(identity.claim)=\(identity.value.visible)  of \(identity.issuer)  is "
        + (identity.person.map(\.visible) ?? "the owner")
    }
  }
}
