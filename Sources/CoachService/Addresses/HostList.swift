/// The names under which the service may be asked for, against pages of others that have a name point to this machine.
package struct HostList: Sendable {
  private let names: Set<String>
  private let allowsAddresses: Bool
  private static let loopback = ["localhost", "127.0.0.1", "[::1]"]

  /// Whether a name is one of this machine for itself.
  static func isLoopback(_ name: String) -> Bool { HostNumber.canonical(name).map { loopback.contains($0) } ?? false }

  /// Whether it is the number of a machine, and no name.
  static func isAddress(_ name: String) -> Bool {
    !name.isEmpty && (name.hasPrefix("[") || name.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 })
  }

  /// The names of the loopback, and others.
  ///
  /// - Parameter allowsAddresses: whether any number of a machine is taken too, where the service listens to others: no name
  ///   leads there.
  package init(_ names: [String], allowsAddresses: Bool) {
    self.names = Set(Self.loopback + names.map { $0.lowercased() })
    self.allowsAddresses = allowsAddresses
  }

  /// Refuses a host that is none of them.
  func require(_ host: String?) throws(ServiceProblem) {
    guard let host else { throw ServiceProblem(.malformed, "Host: expected it once") }
    if let name = Self.name(of: host).flatMap(HostNumber.canonical) {
      if names.contains(name) { return }
      if allowsAddresses, Self.isAddress(name) { return }
    }
    throw ServiceProblem(.unknownHost, "Host: expected localhost or a name of --public-url")
  }

  /// The name without the port; `nil` for what is no host, whatever it begins with.
  static func name(of host: String) -> String? { RequestTarget.hostName(ofAuthority: host) }
}
