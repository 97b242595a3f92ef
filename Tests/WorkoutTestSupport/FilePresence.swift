import TextFormats

extension FileSystem {
  /// Whether something is at a place; `false` too where that cannot be found out, which nobody but a test may take for an answer.
  static func exists(_ place: some FilePlace) -> Bool { (try? status(place)) != nil }
}
