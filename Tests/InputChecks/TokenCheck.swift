internal import CoachService
internal import TextFormats

extension InputCheck {
  /// A token of a provider in the first line, its keys in the rest: nothing that nobody has signed is taken.
  package static let tokens = InputCheck(
    name: "tokens", longestInput: 4_096, seeds: TokenSeeds.all,
    violation: { bytes in
      let (token, keys) = parts(bytes)
      do throws(OpenIDProblem) {
        let now = WallClockTime(nanoseconds: 1_800_000_000_000_000_000)
        let expected = IDToken.Expectation(issuer: "https://id.example.org", clientID: "coach", nonce: "n")
        _ = try IDToken(SignedToken(token), keys: SigningKeys(json: keys), expected, now: now)
        return "a token that nobody has signed is taken"
      } catch {
        return nil
      }
    },
    isUsable: { bytes in
      let (token, keys) = parts(bytes)
      return (try? SignedToken(token)) != nil && (try? SigningKeys(json: keys))?.keys.isEmpty == false
    })

  private static func parts(_ bytes: [UInt8]) -> (String, [UInt8]) {
    let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    return (String(decoding: parts[0], as: UTF8.self), parts.count > 1 ? Array(parts[1]) : [])
  }
}

/// Tokens without a signature that holds, and keys that nobody has the other half of.
enum TokenSeeds {
  private static let claims =
    #"{"iss":"https://id.example.org","aud":["coach"],"azp":"coach","sub":"1","nonce":"n","iat":1799999990,"exp":1800000300}"#
  private static let modulus = AccessSecret.base64URL([0xC1] + [UInt8](repeating: 0x5B, count: 255))
  private static let coordinate = AccessSecret.base64URL([UInt8](repeating: 0x17, count: 32))
  // The base point of P-256, which is on the curve.
  private static let baseX = "axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY"
  private static let baseY = "T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"

  private static func seed(_ name: String, _ header: String, _ signature: Int, _ keys: String) -> InputCheck.Seed {
    let parts = [Array(header.utf8), Array(claims.utf8), [UInt8](repeating: 0x2A, count: signature)]
    return InputCheck.Seed(name, parts.map { AccessSecret.base64URL($0) }.joined(separator: ".") + "\n" + keys)
  }

  static let all = [
    seed(
      "rsa", #"{"alg":"RS256","kid":"one","typ":"JWT"}"#, 256,
      #"{"keys":[{"kty":"RSA","kid":"one","use":"sig","alg":"RS256","n":"\#(modulus)","e":"AQAB"}]}"#),
    seed(
      "p256", #"{"alg":"ES256","kid":"two"}"#, 64,
      #"{"keys":[{"kty":"EC","crv":"P-256","kid":"two","x":"\#(baseX)","y":"\#(baseY)"}]}"#),
    seed(
      "beside", #"{"alg":"ES256","kid":"two"}"#, 64,
      #"{"keys":[{"kty":"EC","crv":"P-256","kid":"two","x":"\#(coordinate)","y":"\#(coordinate)"}]}"#),
    seed(
      "unnamed", #"{"alg":"RS256"}"#, 256,
      #"{"keys":[{"kty":"oct","k":"AA"},{"kty":"RSA","n":"\#(modulus)","e":"Aw"}]}"#),
    seed(
      "several", #"{"alg":"ES256","kid":"one"}"#, 64,
      #"{"keys":[{"kty":"RSA","kid":"one","n":"\#(modulus)","e":"AQAB","key_ops":["verify"]},{"kty":"EC","crv":"P-256","kid":"one","x":"\#(baseX)","y":"\#(baseY)"}]}"#
    ),
  ]
}
