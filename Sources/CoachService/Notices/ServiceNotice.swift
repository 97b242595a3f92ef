internal import TextFormats

/// What the owner of a service is to know, on standard error.
enum ServiceNotice {
  static func say(_ line: String) {
    let bytes = Array("coach: \(line.visible)\n".utf8)
    try? POSIXFile(borrowing: 2, named: "standard error").write(bytes.span)
  }
}
