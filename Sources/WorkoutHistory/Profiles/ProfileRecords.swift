package import TextFormats
internal import WorkoutSession

/// A profile as it is printed: what the file says, and what is in force on a day.
package struct ProfileRecord: Sendable {
  /// The profile.
  package let profile: StoredProfile
  /// The day.
  package let day: CivilDate
  /// How many sessions the person has.
  package let sessions: Int

  /// Creates a record.
  package init(_ profile: StoredProfile, on day: CivilDate, sessions: Int) {
    self.profile = profile
    self.day = day
    self.sessions = sessions
  }

  /// Writes the record as a value.
  package func writeObject(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "profile")
      writer.member("id", profile.id?.description)
      profile.writeMembers(to: &writer)
      writer.member("day", "\(day)")
      writer.member("ageYears", profile.age(on: day))
      writer.object("inForce") { writer in
        for quantity in ProfileQuantity.allCases {
          guard let (value, isLater) = profile.values[quantity]?.inForce(on: day) else { continue }
          writer.object(JSONKey(quantity.key)) { writer in
            value.writeMembers(to: &writer)
            writer.member("isLater", isLater ? true : nil)
          }
        }
      }
      writer.member("sessions", sessions)
    }
  }
}

extension StoredProfile {
  /// The age in whole years on a day; `nil` when it is not known, or the day lies before the birth.
  package func age(on day: CivilDate) -> Int? { birthDate.map { $0.age(on: day) } ?? ageYears }
}
