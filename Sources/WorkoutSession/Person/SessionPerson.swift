package import TextFormats

/// Where the value of a quantity comes from that was in force on the day of a session.
package struct ValueProvenance: Hashable, Sendable {
  /// What it is.
  package let quantity: ProfileQuantity
  /// The day from which on it holds; absent when nobody wrote it down.
  package let date: CivilDate?
  /// Whether it was measured.
  package let origin: ValueOrigin
  /// How it came to be known; absent when nobody wrote it down.
  package let method: String?
  /// Whether it is of a later day than the session, because there is no earlier one.
  package let isLater: Bool

  /// Creates the value from its parts.
  package init(quantity: ProfileQuantity, date: CivilDate?, origin: ValueOrigin, method: String?, isLater: Bool) {
    self.quantity = quantity
    self.date = date
    self.origin = origin
    self.method = method
    self.isLater = isLater
  }

  static let listField = JSONField<[ValueProvenance]>.object { (reader) throws(JSONError) in
    var list: [ValueProvenance] = []
    for quantity in ProfileQuantity.allCases {
      let field = JSONField<ValueProvenance>.object { (reader) throws(JSONError) in
        ValueProvenance(
          quantity: quantity, date: try reader.optional("date", .date),
          origin: try reader.required("origin", ValueOrigin.field),
          method: try reader.optional("method", .nonEmptyString),
          isLater: try reader.optional("isLater", .bool) ?? false)
      }
      if let provenance = try reader.optional(quantity.key, field) { list.append(provenance) }
    }
    return list
  }

  /// Writes date, origin, method and whether it is of a later day.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("date", date?.description)
    writer.member("origin", origin.rawValue)
    writer.member("method", method)
    writer.member("isLater", isLater ? true : nil)
  }
}

/// The person of a session, as it was on its day.
package struct SessionPerson: Hashable, Sendable {
  /// The name of the profile on that day.
  package let name: String
  /// The identity of the profile; absent in sessions from before profiles had one.
  package let profileID: ProfileID?
  /// Where the values come from, in the order of ``ProfileQuantity``; none for those that were said otherwise.
  package var provenance: [ValueProvenance]

  /// Creates a person.
  package init(name: String, profileID: ProfileID?, provenance: [ValueProvenance]) {
    self.name = name
    self.profileID = profileID
    self.provenance = provenance
  }

  /// What is the same for all sessions of one person: the identity of the profile, else `@` and the name, which cannot
  /// be an identity.
  package static func key(profileID: ProfileID?, name: String) -> String { profileID?.description ?? "@" + name }
}

extension SessionPerson {
  /// Reads the members of a manifest about the person; `nil` when it names none.
  init?(members reader: inout JSONObjectReader) throws(JSONError) {
    let name = try reader.optional("person", .nonEmptyString)
    let profileID = try reader.optional("profileID", ProfileID.field)
    let provenance = try reader.optional("provenance", ValueProvenance.listField)
    guard let name else {
      if reader.has("profileID") || reader.has("provenance") {
        throw reader.error(.missingKey, expected: "the name of the person", about: "person")
      }
      return nil
    }
    self.init(name: name, profileID: profileID, provenance: provenance ?? [])
  }

  /// Writes the members that are read by ``init(members:)``.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("person", name)
    writer.member("profileID", profileID?.description)
    guard !provenance.isEmpty else { return }
    writer.object("provenance") { writer in
      for value in provenance { writer.object(JSONKey(value.quantity.key)) { value.writeMembers(to: &$0) } }
    }
  }
}
