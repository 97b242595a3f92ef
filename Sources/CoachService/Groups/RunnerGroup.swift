internal import SessionStore
package import TextFormats
internal import WorkoutSession

/// What a member of a group lets those see who watch it.
package enum GroupShare: String, CaseIterable, Hashable, Sendable {
  /// The heart rate, and what follows from it: zone, advice, time in the target.
  case heartRate
  /// Where they are.
  case position

  /// Reads what a member shares; nothing is shared that is not named.
  static let field = JSONField<[GroupShare]>.array(
    of: .word(["heartRate": .heartRate, "position": .position]), count: 0...GroupShare.allCases.count
  ).mapped(to: "each of heartRate and position once at most") { Set($0).count == $0.count ? $0 : nil }
}

/// Somebody who has joined a group.
package struct GroupMember: Hashable, Sendable {
  /// Who it is.
  package let person: String
  /// What those see who watch the group.
  package let shares: Set<GroupShare>

  /// Creates a member.
  package init(person: String, shares: Set<GroupShare>) {
    self.person = person
    self.shares = shares
  }

  /// Writes who it is and what is shared, as members of an object.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("person", person)
    writer.array("shares") { writer in
      for share in GroupShare.allCases where shares.contains(share) { writer.value(share.rawValue) }
    }
  }
}

/// People who let somebody watch their live runs. Each of them joins and leaves by their own will alone.
package struct RunnerGroup: Hashable, Sendable {
  /// How many members a group has at most.
  package static let largestMemberCount = 60
  /// How many groups somebody has at most.
  package static let groupsPerMaker = 50
  /// How many groups a person is in at most.
  package static let groupsPerMember = 20
  private static let longestName = 60

  /// Its identity, which is also what somebody needs to know to join.
  package let id: String
  /// What it is called.
  package let name: String
  /// The token or sign-in that made it.
  package let maker: String
  /// The person who made it; absent for the owner of the service.
  package let person: String?
  /// When it was made.
  package let createdAt: WallClockTime
  /// Who has joined, by their names.
  package var members: [GroupMember]

  /// Creates a group.
  package init(
    id: String, name: String, maker: String, person: String?, createdAt: WallClockTime, members: [GroupMember] = []
  ) {
    self.id = id
    self.name = name
    self.maker = maker
    self.person = person
    self.createdAt = createdAt
    self.members = members
  }

  /// Reads the name of a group.
  static let nameField = JSONField<String>.string.mapped(
    to: "a name of 1 to \(longestName) characters that are seen"
  ) { text in
    let isFit = (1...longestName).contains(text.count) && text.utf8.count <= 4 * longestName
    return isFit && text.visible == text && text.trimmingSpaces == text ? text : nil
  }

  /// The member of a name; `nil` for somebody who has not joined.
  package func member(_ person: String) -> GroupMember? { members.first { $0.person.hasBytes(of: person) } }

  // MARK: - Who may

  /// What somebody sees of a group.
  enum Audience: Hashable, Sendable {
    /// All members.
    case everybody
    /// Themselves, as others see them.
    case only(String)
  }

  /// What somebody sees of it who may watch; `nil` for those to whom it is not there.
  ///
  /// It belongs to who made it, as to the owner of the service; a member sees what others see of them. A token that is for nobody in
  /// particular, which the owner alone can make, sees everybody's, as it does of sessions; to change a group it has to be the owner's.
  func audience(of caller: Caller) -> Audience? {
    guard caller.session == nil, caller.group.map({ $0 == id }) ?? true else { return nil }
    guard let own = caller.person else { return .everybody }
    if caller.acts(for: person) { return .everybody }
    return member(own) == nil ? nil : .only(own)
  }

  /// Whether somebody sees anything of it: all of it who made it and the owner, themselves who have joined.
  package func isSeen(by caller: Caller) -> Bool { audience(of: caller) != nil }

  /// Whether it is somebody's to change, who may manage.
  func belongs(to caller: Caller) -> Bool {
    guard caller.session == nil, caller.group == nil else { return false }
    return caller.acts(for: person)
  }

  /// The members whom somebody sees.
  func members(for audience: Audience) -> [GroupMember] {
    switch audience {
    case .everybody: members
    case .only(let person): members.filter { $0.person.hasBytes(of: person) }
    }
  }

  /// Writes the record of it, with the members whom somebody sees.
  func writeObject(for audience: Audience, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "group")
      writer.member("groupID", id)
      writer.member("name", name)
      writer.array("members") { writer in
        for member in members(for: audience) { writer.object { member.writeMembers(to: &$0) } }
      }
    }
  }
}
