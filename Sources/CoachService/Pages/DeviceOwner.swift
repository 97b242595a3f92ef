internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession

/// By what a browser knows whose the runs and samples are that it keeps, without a name: several people may use one device.
enum DeviceOwner {
  /// The names of a person for a browser: what is kept now is of the first; what was kept before their profile had an identity, or before
  /// they had a profile, is of the others.
  ///
  /// They are the same at each sign-in, on each instance and under another name, and differ from those of everybody else.
  ///
  /// - Parameters:
  ///   - person: who is signed in; `nil` for the owner of the service.
  ///   - profile: their profile; `nil` where they have none that can be read.
  static func names(of person: String?, _ profile: StoredProfile?) -> [String] {
    guard let person else { return [mark("owner")] }
    var keys = [SessionPerson.key(profileID: profile?.id, name: person)]
    if profile?.id != nil { keys.append(SessionPerson.key(profileID: nil, name: person)) }
    if let former = profile?.recordedAs, !former.hasBytes(of: person) {
      keys.append(SessionPerson.key(profileID: nil, name: former))
    }
    return keys.map(mark)
  }

  private static func mark(_ key: String) -> String {
    AccessSecret.base64URL(Array(AccessSecret.digest(of: "whose on a device: \(key)").prefix(12)))
  }
}
