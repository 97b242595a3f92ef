import CoachService
import SessionStore
import TextFormats
import WorkoutHistory
import WorkoutSession

/// `coach token create`: a secret that lets somebody in.
enum TokenCreateCommand {
  /// Makes the token and shows its secret, once.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    guard let words = parsed[TokenOptions.scope] else {
      throw CommandFailure("--scope is needed: expected some of send, watch, manage", .usage)
    }
    if let person = parsed[TokenOptions.person], !ProfileFileName.isName(person) {
      throw CommandFailure("--person: expected the name of a person", .usage)
    }
    if parsed[TokenOptions.session] != nil, parsed[TokenOptions.group] != nil {
      throw CommandFailure("--session and --group: expected one of them, a token for both sees neither", .usage)
    }
    let place = try StoreOfService(parsed, for: .changing)
    let store = place.store
    let now = try await store.now()
    let scopes = Set(words.compactMap { Scope(rawValue: $0.rawValue) })
    let made = IssuedSecret.token(
      scopes, person: parsed[TokenOptions.person], session: parsed[TokenOptions.session],
      group: parsed[TokenOptions.group], days: parsed[TokenOptions.days], now: now)
    // What is not the person's is like what is not there: the token would see nothing.
    let caller = made.grant.caller
    if let group = parsed[TokenOptions.group], try await store.group(group)?.isSeen(by: caller) != true {
      throw CommandFailure("--group: there is no such group: expected the identity of one that was made", .noInput)
    }
    if let session = parsed[TokenOptions.session], try await !place.hasSession(session, for: caller) {
      throw CommandFailure("--session: there is no such session: expected the whole identity of one", .noInput)
    }
    try await store.add(made.grant)
    await store.close()
    await place.audit(.tokenCreated, subject: made.grant.caller.id, at: now)
    place.reportUnknownPerson(parsed[TokenOptions.person], console)
    guard parsed[OutputOptions.format] == .text else {
      var writer = JSONWriter()
      made.write(to: &writer)
      try console.write(writer.bytes)
      return 0
    }
    try console.line(made.secret)
    console.complain(
      "token \(made.grant.caller.id), until \(made.grant.expiresAt): it is shown this once; send it as Authorization: Bearer"
    )
    return 0
  }
}

/// `coach token link`: a way in to the pages.
enum TokenLinkCommand {
  /// Makes a link and shows it, once.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    if let person = parsed[TokenOptions.person], !ProfileFileName.isName(person) {
      throw CommandFailure("--person: expected the name of a person", .usage)
    }
    let place = try StoreOfService(parsed, for: .changing)
    let store = place.store
    let service = try await store.url()
    let now = try await store.now()
    let link = try await make(in: store, person: parsed[TokenOptions.person], now: now)
    await place.audit(.linkCreated, at: now)
    place.reportUnknownPerson(parsed[TokenOptions.person], console)
    await store.close()
    let url = service ?? "http://\(ListenAddress.usual)"
    if parsed[OutputOptions.format] == .text {
      try console.line(link.url(of: url))
      console.complain("it signs in once, until \(link.expiresAt)")
      if service == nil { console.complain("no service has run here: the address is the usual one") }
    } else {
      var writer = JSONWriter()
      link.write(to: &writer, service: url)
      try console.write(writer.bytes)
    }
    return 0
  }

  /// Makes a link and keeps its hash.
  static func make(in store: ServiceStore, person: String?, now: WallClockTime) async throws -> SignInLink {
    let link = SignInLink(person: person, now: now)
    try await link.keep(in: store)
    return link
  }
}

/// `coach token list`: who is let in.
enum TokenListCommand {
  /// Prints the tokens without their secrets.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    try await AccessList.run("tokens", empty: "no token: `coach token create` makes one", parsed, console) { store in
      try await store.grants().filter { $0.caller.kind == .token }
    } record: { grant, writer in
      grant.writeObject(to: &writer)
    } line: { grant in
      let scopes = Scope.allCases.filter(grant.caller.scopes.contains).map(\.rawValue).joined(separator: ",")
      let whose = grant.caller.person.map { "of \($0)" } ?? "of everybody"
      return "\(grant.caller.id)  \(scopes)  \(whose)  until \(grant.expiresAt)"
    }
  }
}

/// `coach token revoke`: nobody is let in any more with it.
enum TokenRevokeCommand {
  /// Revokes a token.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    try await SecretRevocation.run(parsed[Operands.token], .token, parsed, console)
  }
}
