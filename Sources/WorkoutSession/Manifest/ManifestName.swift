package import TextFormats

/// What the manifest of a session says when the person is called otherwise than on its day. All else stays as it is, also what this
/// program does not know.
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
}
