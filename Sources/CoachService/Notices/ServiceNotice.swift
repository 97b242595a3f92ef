internal import TextFormats

/// What the owner of a service is to know, on standard error.
enum ServiceNotice {
  static func say(_ line: String) {
    ServiceErrorStream.write(Array("coach: \(line.visible)\n".utf8))
  }
}
