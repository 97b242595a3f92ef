import Testing
import TextFormats

@Suite("The signatures that the strict store asks for")
struct StoreSignatureTests {
  /// Source: Amazon S3 API Reference, the example "PUT Object" of signature calculations.
  private static let head = """
    PUT /test%24file.text HTTP/1.1\r
    Host: examplebucket.s3.amazonaws.com\r
    Date: Fri, 24 May 2013 00:00:00 GMT\r
    x-amz-date: 20130524T000000Z\r
    x-amz-storage-class: REDUCED_REDUNDANCY\r
    x-amz-content-sha256: 44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072\r
    Authorization: AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,\
    SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class,\
    Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd\r

    """
  private let signature = StoreSignature(
    accessKeyID: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", region: "us-east-1")

  private func refusal(_ old: String, _ new: String, isOnTime: Bool = true) throws -> String? {
    let request = try #require(StoreRequest(head: Self.head.replacing(old, with: new)))
    return signature.refusal(request, isOnTime: isOnTime)?.1
  }

  @Test("The example of the specification is right, and no change of it")
  func example() throws {
    #expect(try refusal("", "") == nil)
    #expect(try refusal("REDUCED_REDUNDANCY", "STANDARD") == "SignatureDoesNotMatch")
    #expect(try refusal("24file", "25file") == "SignatureDoesNotMatch")
    #expect(try refusal("44ce", "44cf") == "SignatureDoesNotMatch")
    #expect(try refusal("PUT", "GET") == "SignatureDoesNotMatch")
    #expect(try refusal("x-amz-storage-class:", "x-amz-acl: private\r\nx-amz-storage-class:") == "AccessDenied")
    #expect(try refusal("EXAMPLE/", "EXAMPLF/") == "InvalidAccessKeyId")
    #expect(try refusal("", "", isOnTime: false) == "RequestTimeTooSkewed")
    #expect(StoreRequest(head: Self.head + "host: other\r\n") == nil, "a header twice")
  }

  @Test("The keyed hash is that of RFC 4231, case 2")
  func keyedHash() {
    let hash = StoreSignature.hmac(Array("Jefe".utf8), Array("what do ya want for nothing?".utf8))
    #expect(hash.hexadecimal == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  }

  @Test("A path is encoded once, in upper case, where it has to be and nowhere else")
  func paths() throws {
    func decoded(_ path: String) throws -> String? {
      try #require(StoreRequest(head: "PUT \(path) HTTP/1.1\r\n")).decodedPath
    }
    #expect(try decoded("/b/a%20b%2B%25") == "/b/a b+%")
    for path in ["/b/a+b", "/b/%2b", "/b/%61", "/b/../c", "/b//c", "/b/%", "/b/%2", "/b/%FF", "/b/é"] {
      #expect(try decoded(path) == nil, "\(path)")
    }
  }
}
