internal import TextFormats

/// What a token allows.
package enum Scope: String, CaseIterable, Hashable, Sendable {
  /// To begin sessions and send samples and commands.
  case send
  /// To see sessions, their events and the history.
  case watch
  /// To change what is kept: people, tokens, imports, deletions.
  case manage
}

/// Who asks, and what of.
package struct Caller: Hashable, Sendable {
  /// How somebody showed who they are.
  package enum Kind: String, Hashable, Sendable {
    /// A token in the `Authorization` header.
    case token
    /// A key in the path, which only writes.
    case key
    /// A cookie of the pages.
    case cookie
  }

  /// How.
  package let kind: Kind
  /// The identity of the token, the key or the sign-in.
  package let id: String
  /// What is allowed.
  package let scopes: Set<Scope>
  /// Whose things; absent for everybody's.
  package let person: String?
  /// The only session that may be seen; absent for all of the person's.
  package let session: String?
  /// The only group that may be seen; absent for all.
  package let group: String?

  /// Whether it is the owner's, who sees and changes everything.
  package var isOwner: Bool { person == nil && session == nil && group == nil && scopes.contains(.manage) }

  /// Creates a caller.
  package init(
    _ kind: Kind, id: String, scopes: Set<Scope>, person: String?, session: String? = nil, group: String? = nil
  ) {
    self.kind = kind
    self.id = id
    self.scopes = scopes
    self.person = person
    self.session = session
    self.group = group
  }

  /// Whether they act for a person, as everybody does who acts for all; for nobody in particular those alone do.
  package func acts(for person: String?) -> Bool {
    self.person.map { own in person.map(own.hasBytes) ?? false } ?? true
  }

  /// Whether things of a person are theirs to see.
  ///
  /// - Parameters:
  ///   - person: whose they are; `nil` for nobody's.
  ///   - maker: the token that made them; `nil` where that is not known.
  package func mayUse(person: String?, maker: String?) -> Bool {
    // Who may see one session is asked for its identity elsewhere; who may see one group sees no session of it.
    if group != nil { return false }
    if self.person != nil { return acts(for: person) }
    if isOwner || session != nil { return true }
    return person != nil || maker == nil || maker == id
  }
}
