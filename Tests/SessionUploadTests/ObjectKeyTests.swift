@testable import SessionUpload
import TestSupport
import Testing
@testable import WorkoutSession
@testable import WorkoutTestSupport

@Suite("Keys and places of objects")
struct ObjectKeyTests {
  @Test("A name stays as it is unless it would be more than one part, or that of somebody else")
  func parts() {
    for name in ["anna", "Anna Müller", "a+b", "\"q\" it's", "走🏃", "...", ".a", "nobody2"] {
      #expect(ObjectKey.part(name) == name)
    }
    let escaped = [
      "a/b": "a%2Fb", "a%2Fb": "a%252Fb", "..": "%2E%2E", ".": "%2E", "nobody": "%6Eobody", "a\nb\u{7F}": "a%0Ab%7F",
    ]
    for (name, part) in escaped { #expect(ObjectKey.part(name) == part) }
  }

  @Test("A profile with an identity stands beside its name, and no name alone looks like it")
  func people() throws {
    let digits = "0e109f2dfb1ffc9b43f55118b05a7db3"
    let identity = try #require(ProfileID(digits))
    #expect(ObjectKey.person(nil) == "nobody")
    #expect(ObjectKey.person(SessionPerson(name: "a/b", profileID: nil, provenance: [])) == "a%2Fb")
    #expect(ObjectKey.person(SessionPerson(name: "anna", profileID: identity, provenance: [])) == "anna-\(digits)")
    let alike = SessionPerson(name: "anna-\(digits)", profileID: nil, provenance: [])
    #expect(ObjectKey.person(alike) == "anna%2D\(digits)")
    let short = SessionPerson(name: "anna-\(digits.dropLast())", profileID: nil, provenance: [])
    #expect(ObjectKey.person(short) == "anna-\(digits.dropLast())")
  }

  @Test("Two names never give the same part", arguments: 0..<20)
  func noCollision(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let signs: [Character] = ["a", ".", "/", "%", "2", "F", "E", "5", " ", "+", "n", "é"]
    var names: [[UInt8]: [UInt8]] = [:]
    for _ in 0..<2_000 {
      let name = String(
        (0..<Int.random(in: 1...4, using: &random)).map { _ in signs.randomElement(using: &random) ?? "a" })
      let part = Array(ObjectKey.part(name).utf8)
      #expect(!part.contains(UInt8(ascii: "/")))
      #expect(part != Array("..".utf8))
      #expect(part != Array(".".utf8))
      if let other = names[part] { #expect(other == Array(name.utf8), "seed \(seed): \(name)") }
      names[part] = Array(name.utf8)
    }
  }

  @Test("A path of a URL encodes all but the plain signs and the slashes")
  func paths() {
    #expect(ObjectKey.path("step/a b+%2F/é~-_.csv") == "step/a%20b%2B%252F/%C3%A9~-_.csv")
  }

  @Test("A destination is a bucket and a prefix, and nothing else")
  func destinations() throws {
    for (text, prefix) in [("s3://abc", ""), ("s3://abc/", ""), ("s3://a.b-c/x/y z/", "x/y z/")] {
      #expect(try #require(UploadDestination(text)).prefix == prefix)
    }
    #expect(try #require(UploadDestination("s3://a.b-c/x/y z/")).description == "s3://a.b-c/x/y z")
    for text in [
      "", "abc", "s3:/abc", "s3://", "s3://ab", "s3://Abc", "s3://a_b", "s3://-ab", "s3://a..b", "s3://1.2.3.4",
      "s3://abc//x", "s3://abc/./x", "s3://abc/../x", "s3://abc/a\nb", "https://abc",
    ] {
      #expect(UploadDestination(text) == nil, "\(text)")
    }
  }

  @Test("Buckets stand in the path of a named store, and in the host's name at Amazon unless they have dots")
  func addresses() throws {
    let plain = try #require(UploadDestination("s3://abc"))
    let dotted = try #require(UploadDestination("s3://a.bc"))
    let named = try #require(StoreEndpoint("HTTP://localhost:9000/"))
    #expect(named.address(of: "k/é", in: plain, region: "r") == "http://localhost:9000/abc/k/%C3%A9")
    #expect(
      StoreEndpoint.amazon.address(of: "k", in: plain, region: "eu-x-1") == "https://abc.s3.eu-x-1.amazonaws.com/k")
    #expect(
      StoreEndpoint.amazon.address(of: "k", in: dotted, region: "eu-x-1") == "https://s3.eu-x-1.amazonaws.com/a.bc/k")
    #expect(
      StoreEndpoint.amazon.address(of: "k", in: plain, region: "cn-north-1")
        == "https://abc.s3.cn-north-1.amazonaws.com.cn/k")
    for text in ["https://a.b-c_d", "http://[::1]:80", "https://10.0.0.1"] { #expect(StoreEndpoint(text)?.url == text) }
    for text in [
      "", "a.b", "ftp://a", "https://", "https://a:b", "https://a:0", "https://a:70000", "https://u@a", "https://u:p@a",
      "https://a/b", "https://a?b", "https://a#b", "https://a b", "https://[::1", "https://[::1]x", "https://[]",
    ] {
      #expect(StoreEndpoint(text) == nil, "\(text)")
    }
  }
}
