import CoachService

/// What `identity` is given.
enum IdentityOptions {
  static let claim = Option(
    "claim", "NAME=VALUE", kind: .text, in: .input,
    help: "What the provider's token says of the person, such as sub=248289761001 or email=ann@example.org; needed",
    reader: { (text: String) throws(ValueProblem) in
      guard let claim = ClaimText(text) else {
        throw ValueProblem(expected: "NAME=VALUE, such as sub=248289761001")
      }
      return claim
    })
  static let isOwner = Option.flag("owner", in: .input, help: "It is the owner, who sees and changes everything")
}

/// A claim of a token, as it is typed.
struct ClaimText: Hashable, Sendable {
  let name: String
  let value: String

  /// Takes `NAME=VALUE`; `nil` where one of them is missing or too long.
  init?(_ text: String) {
    guard let equals = text.firstIndex(of: "=") else { return nil }
    name = String(text[..<equals])
    value = String(text[text.index(after: equals)...])
    guard (1...100).contains(name.utf8.count), name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      (1...255).contains(value.utf8.count)
    else { return nil }
  }
}

extension Operands {
  /// The identity of somebody who signs in with a provider.
  static let identity = Operand.one("IDENTITYID", .text)
}

extension Verb {
  static let identityAdd = Verb(
    .identityAdd, in: .service,
    summary: "Say who somebody is that a provider signs in; others are not let in",
    example: "coach identity add --claim sub=248289761001 --person ann",
    options: [
      IdentityOptions.claim, TokenOptions.person, IdentityOptions.isOwner, ServeOptions.issuer,
      ServeOptions.database, OutputOptions.format, OutputOptions.dataFolder,
    ],
    exitCodes: [.unusableData, .noInput, .unavailable, .cannotCreate])

  static let identityList = Verb(
    .identityList, in: .service,
    summary: "List whom a provider signs in, and who they are here",
    example: "coach identity list",
    options: [ServeOptions.database, OutputOptions.format, OutputOptions.dataFolder],
    exitCodes: [.unusableData, .unavailable])

  static let identityRemove = Verb(
    .identityRemove, in: .service,
    summary: "Let somebody of a provider in no more; who is signed in is signed out",
    example: "coach identity remove 4f3a0b1c4f3a0b1c",
    operand: Operands.identity.declaration,
    options: [ServeOptions.database, OutputOptions.format, OutputOptions.dataFolder],
    exitCodes: [.unusableData, .noInput, .unavailable])
}
