@testable import SessionUpload
import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutTestSupport

@Suite("What is needed to speak with a store")
struct StoreSettingsTests {
  private static let keys = ["AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "hidden"]

  private func settings(_ variables: [String: String]) throws -> StoreSettings {
    try StoreSettings(endpoint: nil) { variables[$0] }
  }

  @Test("A secret is in no description")
  func secrets() throws {
    let credentials = try settings(Self.keys.merging(["AWS_SESSION_TOKEN": "hidden"]) { $1 }).credentials
    var dumped = ""
    dump(credentials, to: &dumped)
    for text in ["\(credentials)", String(reflecting: credentials), dumped, "\(credentials.secretAccessKey)"] {
      #expect(!text.contains("hidden"), "\(text)")
      #expect(!text.contains("\"id\""), "\(text)")
    }
  }

  @Test("Variables go before files, the first of two before the second")
  func order() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/config"
    let file = try POSIXFile(writing: path, .truncate)
    let text = Array("[default]\nregion = from-file ; as a comment\nendpoint_url = http://file\n[profile p]\n".utf8)
    try file.write(text.span)
    var variables = Self.keys.merging(["AWS_CONFIG_FILE": path]) { $1 }
    #expect(try settings(variables).region == "from-file")
    #expect(try settings(variables).endpoint.url == "http://file")
    variables["AWS_DEFAULT_REGION"] = "second"
    #expect(try settings(variables).region == "second")
    variables["AWS_REGION"] = "first"
    #expect(try settings(variables).region == "first")
    variables["AWS_ENDPOINT_URL"] = "https://second"
    #expect(try settings(variables).endpoint.url == "https://second")
    variables["AWS_ENDPOINT_URL_S3"] = "https://first"
    #expect(try settings(variables).endpoint.url == "https://first")
    variables["AWS_PROFILE"] = "p"
    variables["AWS_REGION"] = nil
    variables["AWS_DEFAULT_REGION"] = nil
    #expect(try settings(variables).region == "us-east-1")
    #expect(try settings(Self.keys).endpoint == .amazon)
  }

  @Test("What is missing is 66, what cannot be used 65, and no value is shown")
  func errors() {
    let cases: [([String: String], Int32)] = [
      ([:], 66), (["AWS_PROFILE": "none"], 66), (["AWS_ACCESS_KEY_ID": "id"], 66),
      (["AWS_SECRET_ACCESS_KEY": "hidden"], 66),
      (Self.keys.merging(["AWS_SESSION_TOKEN": "hidden\nx"]) { $1 }, 65),
      (Self.keys.merging(["AWS_REGION": "hidden/x"]) { $1 }, 65),
      (Self.keys.merging(["AWS_ENDPOINT_URL": "https://u:hidden@x"]) { $1 }, 65),
    ]
    for (variables, code) in cases {
      let error = #expect(throws: StoreSettingsError.self) { try settings(variables) }
      #expect(error?.exitCode == code, "\(String(describing: error))")
      #expect(error?.description.contains("hidden") == false, "\(String(describing: error))")
    }
  }

  @Test("A file of settings has sections, comments and values of several lines; anything else is reported by its line")
  func files() throws {
    let text =
      "\u{FEFF}# a\n; b\n[ one ]\r\nKey = a b # c\nother=x#y\nnested =\n  inner = 1\n\n[two]\nkey=\n[one]\nlast = 1\n"
    let file = try SettingsFile(text: text.utf8.span)
    #expect(file.section("one") == ["key": "a b", "other": "x#y", "nested": "", "last": "1"])
    #expect(file.section("two") == ["key": ""])
    #expect(file.section("three") == nil)
    for (broken, line) in [("a = 1", 1), ("[one\n", 1), ("[one]\nword\n", 2), ("[one]\n\n= 1\n", 3)] {
      #expect(throws: SettingsFile.Malformed(line: line)) { try SettingsFile(text: broken.utf8.span) }
    }
  }

  @Test("A wait doubles, is at least half of that, and never more than 20 s", arguments: 0..<10)
  func waits(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let backoff = UploadBackoff(retries: 20)
    var full: Int64 = 250_000_000
    for retry in 0..<20 {
      let delay = backoff.delay(beforeRetry: retry, using: &random)
      #expect((full / 2...full).contains(delay), "seed \(seed), retry \(retry)")
      full = min(full * 2, 20_000_000_000)
    }
  }
}
