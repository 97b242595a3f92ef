/// What a browser keeps while somebody signs in with a provider, so that nobody else can end what it has begun: a cookie for each attempt,
/// so that tabs do not disturb each other, and a few of them. The provider sends the browser back from another site, so that they are no
/// cookies of the same site alone.
struct AttemptCookies: Hashable, Sendable {
  /// What a browser keeps of one attempt.
  struct Kept: Hashable, Sendable {
    /// The secret, which belongs to the attempt.
    let secret: String
    /// The page that was opened before; absent for none.
    let openedPage: String?
  }

  /// Whether the browser reaches the service over TLS.
  let isSecure: Bool

  /// The name of the cookie of an attempt, by the number that its state has.
  func name(_ number: Int) -> String { formerName + "-\(number)" }

  /// The name of the one cookie that a browser had for all attempts, as instances of before give it still.
  private var formerName: String { isSecure ? "__Host-coach-begun" : "coach-begun" }

  /// The header that gives a browser the cookie of an attempt.
  func header(_ attempt: OpenIDAttempt, openedPage: String?) -> HTTPField {
    let page = openedPage.map { "." + AccessSecret.base64URL(Array($0.utf8)) } ?? ""
    return .cookie(
      name(attempt.number), attempt.browser + page, seconds: OpenIDAttempt.lifetimeSeconds, isSecure: isSecure)
  }

  /// The numbers of the attempts whose cookies a browser sends.
  func numbers(of head: HTTPHead) -> Set<Int> {
    Set((0..<OpenIDAttempt.mostOfBrowser).filter { head.cookie(name($0)) != nil })
  }

  /// Whether a browser sends the cookie of any attempt.
  func areAny(in head: HTTPHead) -> Bool { head.cookie(formerName) != nil || !numbers(of: head).isEmpty }

  /// What a browser keeps of the attempt of a state; `nil` where it has not begun that.
  func kept(by head: HTTPHead, of state: String) -> Kept? {
    let names = [OpenIDAttempt.number(ofState: state).map { name($0) }, formerName]
    return names.lazy.compactMap { name -> Kept? in
      guard let value = name.flatMap(head.cookie) else { return nil }
      let parts = value.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      let secret = String(parts[0])
      guard (try? OpenIDAttempt(of: state, browser: secret)) != nil else { return nil }
      return Kept(secret: secret, openedPage: parts.count < 2 ? nil : Base64URL.text(String(parts[1])))
    }.first
  }

  /// The headers that take away what a browser keeps of an attempt that is over: its own cookie, where it has that, and the one that
  /// instances of before gave for all. The cookies of others stay.
  func removals(of state: String?, in head: HTTPHead) -> [HTTPField] {
    var names = [formerName]
    if let state, kept(by: head, of: state) != nil, let number = OpenIDAttempt.number(ofState: state) {
      names.append(name(number))
    }
    return names.map { .cookie($0, "", seconds: 0, isSecure: isSecure) }
  }
}
