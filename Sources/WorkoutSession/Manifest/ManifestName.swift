package import TextFormats

/// What the manifest of a session says when the person is called otherwise than on its day, or is known later. All else stays as it
/// is, also what this program does not know.
package enum ManifestName {
  /// The manifest with the name of today.
  ///
  /// - Returns: the same where nobody said who the person is, and where the name is that of the day.
  package static func value(_ manifest: JSONValue, calling name: String?) -> JSONValue {
    guard let name, let members = manifest.members, let before = manifest["person"]?.string, before != name else {
      return manifest
    }
    let renamed = members.map { member in
      member.key == "person"
        ? JSONMember(member.key, JSONValue(.string(name))) : member
    }
    return JSONValue(.object(renamed))
  }

  /// The text of the file with the name of today; `nil` where it need not be changed, and where it cannot be read.
  package static func text(_ json: Span<UInt8>, calling name: String) -> [UInt8]? {
    guard let manifest = try? JSONValue.parse(json), let before = manifest["person"]?.string, before != name else {
      return nil
    }
    var writer = JSONWriter(.pretty)
    writer.value(value(manifest, calling: name))
    writer.endLine()
    return writer.bytes
  }

  /// The text of the file of a session of nobody that becomes somebody's; `nil` where it is somebody's, and where it cannot be read.
  package static func text(_ json: Span<UInt8>, of person: SessionPerson) -> [UInt8]? {
    guard let manifest = try? JSONValue.parse(json), var members = manifest.members, manifest["person"] == nil else {
      return nil
    }
    let place = members.firstIndex { $0.key == "utcOffsetSeconds" }.map { $0 + 1 } ?? members.endIndex
    var added = [JSONMember("person", JSONValue(.string(person.name)))]
    if let profileID = person.profileID {
      added.append(JSONMember("profileID", JSONValue(.string(profileID.description))))
    }
    members.insert(contentsOf: added, at: place)
    var writer = JSONWriter(.pretty)
    writer.value(JSONValue(.object(members)))
    writer.endLine()
    return writer.bytes
  }
}
