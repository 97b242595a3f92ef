import CoachService

/// What `serve` is given.
enum ServeOptions {
  static let listen = Option(
    "listen", "ADDRESS:PORT", kind: .text, in: .input,
    help: "Where to listen; another address than the loopback needs TLS or --behind-proxy; port 0 takes a free one",
    reader: { (text: String) throws(ValueProblem) in try listener(text) }
  ).otherwise(ListenAddress.usual, shown: "127.0.0.1:8080")
  static let certificate = Option.file(
    "tls-certificate", "FILE", in: .input, help: "The certificate and its chain, as PEM; with --tls-key")
  static let key = Option.file("tls-key", "FILE", in: .input, help: "The private key of the certificate, as PEM")
  static let isBehindProxy = Option.flag(
    "behind-proxy", in: .input, help: "A proxy in front speaks TLS and is the only one that reaches this address")
  /// Reads where a service is reached.
  private static func address(_ text: String) throws(ValueProblem) -> String {
    guard let url = PublicURL(text) else {
      throw ValueProblem(expected: "https://HOST or http://HOST, without a path")
    }
    return url.text
  }

  static let publicURL = Option(
    "public-url", "URL", kind: .text, in: .input,
    help: "Where it is reached from outside, such as https://coach.example.org",
    reader: address)

  static let recognize = Option.file(
    "recognize", "FILE", in: .input,
    help: "A model that sessions may name, by the name of its file without .coachmotion, to have activities recognised"
  ).repeated()

  static let metrics = Option(
    "metrics", "ADDRESS:PORT", kind: .text, in: .input,
    help: "Where to serve /metrics for Prometheus, on the loopback, such as 127.0.0.1:9464",
    reader: { (text: String) throws(ValueProblem) in
      let address = try listener(text)
      guard address.isLoopback else {
        throw ValueProblem(expected: "an address of the loopback, such as 127.0.0.1:9464")
      }
      return address
    })

  // It is read where nothing of it is repeated: a password may be anywhere in what is none.
  static let database = Option.text(
    "database", "URL", in: .input,
    help: "The PostgreSQL that several instances share, postgresql://USER@HOST/NAME; its password stands in PGPASSFILE")
  static let replica = Option.text(
    "database-replica", "URL", in: .input,
    help: "A replica of the database, from which the history is read; with --database")
  static let instanceURL = Option(
    "instance-url", "URL", kind: .text, in: .input,
    help: "Where other instances and a proxy reach this one, with --database; where it listens when nothing is said",
    reader: address)

  static let issuer = Option(
    "oidc-issuer", "URL", kind: .text, in: .input,
    help: "The provider of OpenID Connect that people sign in with, as its tokens name it",
    reader: { (text: String) throws(ValueProblem) in try provider(text) })
  static let clientID = Option.text(
    "oidc-client-id", "ID", in: .input, help: "What the service is called at the provider; with --oidc-issuer")
  static let clientSecret = Option.file(
    "oidc-client-secret-file", "FILE", in: .input, help: "The secret that the provider has given to the service")

  private static func provider(_ text: String) throws(ValueProblem) -> OpenIDIssuer {
    guard let issuer = OpenIDIssuer(text) else {
      throw ValueProblem(expected: "https://HOST with a path or without; http:// on this machine alone")
    }
    return issuer
  }

  private static func listener(_ text: String) throws(ValueProblem) -> ListenAddress {
    guard let address = ListenAddress(text) else {
      throw ValueProblem(expected: "ADDRESS:PORT, such as 127.0.0.1:8080 or [::1]:0")
    }
    return address
  }
}

/// What `token` is given.
enum TokenOptions {
  static let scope = Option.choiceList(
    "scope", "send,watch,manage", of: ScopeWord.self, in: .input, help: "What the token allows; needed")
  static let person = Option.text(
    "person", "NAME", offering: .profile, in: .input,
    help: "Whose things it is for; everybody's without it, and needed for a key or for who is not --owner")
  static let session = Option.text("session", "ID", in: .input, help: "The only session it is for")
  static let group = Option.text("group", "ID", in: .input, help: "The only group it is for")
  static let days = Option.integer("days", "N", 1...3_650, in: .input, help: "How many days it holds").otherwise(
    90, shown: "90")
}

/// What `key` is given.
enum KeyOptions {
  static let person = Option.text(
    "person", "NAME", offering: .profile, in: .input,
    help: "Whose things it is for; everybody's without it, and needed for a key or for who is not --owner")
  static let request = Option.file(
    "request", "FILE", in: .input, help: "What a session is begun with when samples come, as POST /v1/sessions takes it"
  )
}

/// The scopes, as they are typed.
enum ScopeWord: String, CaseIterable, Sendable {
  case send, watch, manage
}

extension Operands {
  /// The identity of a token.
  static let token = Operand.one("TOKENID", .text)
  /// The identity of a key.
  static let key = Operand.one("KEYID", .text)
}

extension Verb {
  static let serve = Verb(
    .serve, in: .service,
    summary: "Serve sessions over HTTP: samples in, cues and history out",
    example: "coach serve --listen 127.0.0.1:8080",
    options: [
      ServeOptions.listen, ServeOptions.certificate, ServeOptions.key, ServeOptions.isBehindProxy,
      ServeOptions.publicURL, ServeOptions.issuer, ServeOptions.clientID, ServeOptions.clientSecret,
      ServeOptions.metrics, ServeOptions.recognize, SessionOptions.motionLog, ServeOptions.database,
      ServeOptions.replica, ServeOptions.instanceURL,
      OutputOptions.format, OutputOptions.dataFolder,
    ],
    exitCodes: [.unusableData, .noInput, .unavailable, .cannotCreate])

  static let tokenCreate = Verb(
    .tokenCreate, in: .service,
    summary: "Make a token for the service; its secret is shown once",
    example: "coach token create --scope send,watch --person ann",
    options: [
      TokenOptions.scope, TokenOptions.person, TokenOptions.session, TokenOptions.group, TokenOptions.days,
      ServeOptions.database, OutputOptions.format, OutputOptions.dataFolder,
    ],
    exitCodes: [.unusableData, .noInput, .unavailable, .cannotCreate])

  static let tokenList = Verb(
    .tokenList, in: .service,
    summary: "List the tokens that were not revoked, without their secrets",
    example: "coach token list",
    options: [ServeOptions.database, OutputOptions.format, OutputOptions.dataFolder],
    exitCodes: [.unusableData, .unavailable])

  static let tokenLink = Verb(
    .tokenLink, in: .service,
    summary: "Make a link that signs somebody in to the pages, once within ten minutes",
    example: "coach token link --person ann",
    options: [TokenOptions.person, ServeOptions.database, OutputOptions.format, OutputOptions.dataFolder],
    exitCodes: [.unusableData, .noInput, .unavailable, .cannotCreate])

  static let tokenRevoke = Verb(
    .tokenRevoke, in: .service,
    summary: "Let nobody in any more with a token; its open streams end within a second",
    example: "coach token revoke 4f3a0b1c4f3a0b1c",
    operand: Operands.token.declaration,
    options: [ServeOptions.database, OutputOptions.format, OutputOptions.dataFolder],
    exitCodes: [.unusableData, .noInput, .unavailable])

  static let keyCreate = Verb(
    .keyCreate, in: .service,
    summary: "Make a key with which an app of a person writes; its URL is shown once",
    example: "coach key create --person ann --request request.json",
    options: [
      KeyOptions.person, KeyOptions.request, TokenOptions.days, ServeOptions.publicURL, ServeOptions.database,
      OutputOptions.format,
      OutputOptions.dataFolder,
    ],
    exitCodes: [.unusableData, .noInput, .unavailable, .cannotCreate])

  static let keyList = Verb(
    .keyList, in: .service,
    summary: "List the keys that were not revoked, without their secrets",
    example: "coach key list",
    options: [ServeOptions.database, OutputOptions.format, OutputOptions.dataFolder],
    exitCodes: [.unusableData, .unavailable])

  static let keyRevoke = Verb(
    .keyRevoke, in: .service,
    summary: "Take nothing any more that comes with a key",
    example: "coach key revoke 4f3a0b1c4f3a0b1c",
    operand: Operands.key.declaration,
    options: [ServeOptions.database, OutputOptions.format, OutputOptions.dataFolder],
    exitCodes: [.unusableData, .noInput, .unavailable])
}
