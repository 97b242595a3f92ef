import TextFormats

/// The files of a command line: none is written that is read as well, or written a second time.
enum FileRoles {
  /// Looks whether what is written is another file than all others that are named, before anything is done.
  ///
  /// Two roles are told apart by the file, and not by how it is spelled. A word that leads to no file is a name of something else.
  ///
  /// - Throws: `CommandFailure` for a file that is to be written and has a second role.
  static func check(_ parsed: ParsedArguments) throws(CommandFailure) {
    let files = parsed.files.filter { $0.path != "-" }
    guard files.contains(where: \.isWritten) else { return }
    var known: [FileIdentity: NamedFile] = [:]
    for file in files {
      guard let identity = FileIdentity(file.path), file.isWritten || identity.isThere else { continue }
      guard let other = known.updateValue(file, forKey: identity), file.isWritten || other.isWritten else { continue }
      throw CommandFailure(
        "\(other.words) and \(file.words): the same file: expected a name of its own for each", .usage)
    }
  }
}
