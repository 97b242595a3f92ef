internal import TextFormats

/// Why there are no settings for a store. No value stands in it.
package struct StoreSettingsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where: a variable, or a file.
  package let place: String
  /// What is wrong and what was expected.
  package let problem: String
  /// Whether something is not there, rather than unusable.
  package let isMissing: Bool

  init(_ place: String, _ problem: String, isMissing: Bool) {
    self.place = place
    self.problem = problem
    self.isMissing = isMissing
  }

  /// 66 for what is not there, 65 for what cannot be used.
  package var exitCode: Int32 { isMissing ? 66 : 65 }

  /// `AWS_REGION: expected …`.
  package var description: String { "\(place): \(problem)" }
}

/// What is needed to speak with a store: credentials, region, address, and certificates to trust.
///
/// They come from the variables and files of the AWS tools, variables first: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`,
/// `AWS_SESSION_TOKEN`, `AWS_REGION` or `AWS_DEFAULT_REGION`, `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL`,
/// `AWS_CA_BUNDLE`; then the profile `AWS_PROFILE` or `default` in `AWS_SHARED_CREDENTIALS_FILE` or `~/.aws/credentials`
/// and in `AWS_CONFIG_FILE` or `~/.aws/config`. Keys that a program, a role or a single sign-on would give are not read.
package struct StoreSettings: Sendable {
  /// What requests are signed with.
  package let credentials: StoreCredentials
  /// The region of the bucket; `us-east-1` when nothing names one.
  package let region: String
  /// The service.
  package let endpoint: StoreEndpoint
  /// The file of the certificates that are trusted; absent for those of the system.
  package let certificates: String?

  /// Creates settings that are decided elsewhere.
  package init(credentials: StoreCredentials, region: String, endpoint: StoreEndpoint, certificates: String?) {
    self.credentials = credentials
    self.region = region
    self.endpoint = endpoint
    self.certificates = certificates
  }

  /// Gathers the settings.
  ///
  /// - Parameters:
  ///   - endpoint: the service that was asked for; it goes before every other.
  ///   - variable: the environment; `nil` for a variable that is not set or empty.
  /// - Throws: `StoreSettingsError`, or `FileError` when a file cannot be read.
  package init(endpoint: StoreEndpoint?, variable: (String) -> String?) throws {
    let profile = try StoreProfile(variable: variable)
    let region =
      ["AWS_REGION", "AWS_DEFAULT_REGION"].lazy.compactMap(variable).first ?? profile["region"] ?? "us-east-1"
    guard Self.isRegion(region) else {
      throw StoreSettingsError("region", "expected letters, digits and hyphens, such as eu-central-1", isMissing: false)
    }
    self.region = region
    self.endpoint = try endpoint ?? Self.endpoint(variable, profile)
    certificates = variable("AWS_CA_BUNDLE") ?? profile["ca_bundle"]
    credentials = try Self.credentials(variable, profile)
  }

  /// The address of the service that variables or files name; Amazon's when none does.
  ///
  /// - Throws: `StoreSettingsError`, or `FileError` when a file cannot be read.
  package static func endpoint(variable: (String) -> String?) throws -> StoreEndpoint {
    try endpoint(variable, StoreProfile(variable: variable))
  }

  private static func endpoint(_ variable: (String) -> String?, _ profile: StoreProfile) throws -> StoreEndpoint {
    let places = ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"].map { ($0, variable($0)) }
    for (place, text) in places + [("endpoint_url", profile["endpoint_url"])] {
      guard let text else { continue }
      guard let endpoint = StoreEndpoint(text) else {
        throw StoreSettingsError(place, "expected http:// or https:// and a host, nothing behind it", isMissing: false)
      }
      return endpoint
    }
    return .amazon
  }

  private static func credentials(
    _ variable: (String) -> String?, _ profile: StoreProfile
  ) throws(StoreSettingsError) -> StoreCredentials {
    let names = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"]
    if variable(names[0]) != nil || variable(names[1]) != nil {
      return try credentials(names, variable, in: "the environment")
    }
    guard profile.isFound else {
      throw StoreSettingsError(
        "credentials",
        "expected AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the profile \(profile.name) in "
          + (profile.places.isEmpty ? "~/.aws/credentials" : profile.places.joined(separator: " or ")),
        isMissing: true)
    }
    return try credentials(names.map { $0.lowercased() }, { profile[$0] }, in: "the profile \(profile.name)")
  }

  private static func credentials(
    _ names: [String], _ value: (String) -> String?, in place: String
  ) throws(StoreSettingsError) -> StoreCredentials {
    var secrets: [Secret?] = []
    for (name, isNeeded) in zip(names, [true, true, false]) {
      let secret = value(name).map { Secret($0) }
      guard secret != nil || !isNeeded else {
        throw StoreSettingsError(name, "is not set in \(place): expected the key there", isMissing: true)
      }
      guard secret?.isHeaderText != false else {
        throw StoreSettingsError(name, "holds a sign that no key has: expected ASCII without spaces", isMissing: false)
      }
      secrets.append(secret)
    }
    guard let identity = secrets[0], let key = secrets[1] else { preconditionFailure("both were asked for") }
    return StoreCredentials(accessKeyID: identity, secretAccessKey: key, sessionToken: secrets[2])
  }

  private static func isRegion(_ text: String) -> Bool {
    text.utf8.count <= 64
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || byte == UInt8(ascii: "-")
      }
  }
}

/// A profile of the AWS tools: what the two files have under its name.
private struct StoreProfile {
  let name: String
  /// The files that were looked at.
  let places: [String]
  private let values: [String: String]?

  init(variable: (String) -> String?) throws {
    let name = variable("AWS_PROFILE") ?? "default"
    let home = variable("HOME").map { $0 + "/.aws/" }
    let keys = variable("AWS_SHARED_CREDENTIALS_FILE") ?? home.map { $0 + "credentials" }
    let config = variable("AWS_CONFIG_FILE") ?? home.map { $0 + "config" }
    let first = try keys.map { try SettingsFile.read($0) }?.section(name)
    let configFile = try config.map { try SettingsFile.read($0) }
    let second = configFile?.section("profile " + name) ?? (name == "default" ? configFile?.section(name) : nil)
    self.name = name
    places = [keys, config].compactMap(\.self)
    values = first == nil && second == nil ? nil : (second ?? [:]).merging(first ?? [:]) { $1 }
  }

  /// Whether any file has the profile.
  var isFound: Bool { values != nil }

  /// A value that is not empty.
  subscript(key: String) -> String? { values?[key].flatMap { $0.isEmpty ? nil : $0 } }
}
