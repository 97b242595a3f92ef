import Foundation
import Testing

@Suite("The program: upload to a store that fails")
struct UploadFaultTests {
  @Test(
    "What passes is waited for, and what is stored is what was there",
    arguments: ["unavailable", "throttled", "dropped", "dropped head", "slow", "own ETag", "ETag of parts"])
  func passing(what: String) throws {
    let fixture = try UploadFixture()
    // More than a connection takes at once, where it matters.
    try fixture.addFile(bytes: ["dropped", "slow"].contains(what) ? 3 << 20 : 3 << 10)
    let store = try StrictStore { method, number in
      switch (what, method, number) {
      case ("unavailable", "PUT", 2...3): .answer(503, "SlowDown")
      case ("throttled", "HEAD", 1...2): .answer(429, "TooManyRequests")
      case ("dropped", "PUT", 6): .drop(afterBytes: 1 << 20)
      case ("dropped", "PUT", 7...8): .drop(afterBytes: 0)
      case ("dropped head", "HEAD", 3): .drop(afterBytes: 0)
      case ("slow", "PUT", 6): .slow
      case ("own ETag", "PUT", _): .ownETag
      case ("ETag of parts", "PUT", _): .partsETag { $0 }
      default: nil
      }
    }
    defer { store.stop() }
    let outcome = try fixture.upload(store)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(try store.objects == fixture.expected())
    #expect(try outcome.summary("sent") == 9)
    let again = try fixture.upload(store)
    #expect(again.status == 0, "\(again.errors)")
    #expect(try again.summary("present") == 9, "\(again.errors)")
    #expect(store.done("PUT").count == 9)
  }

  @Test(
    "A store that answers that all is well and kept nothing, half or something else has not got it",
    arguments: ["nothing", "half", "others", "more"])
  func notKept(what: String) throws {
    let fixture = try UploadFixture()
    let store = try StrictStore { method, _ in
      guard method == "PUT" else { return nil }
      return .keep { bytes in
        switch what {
        case "nothing": nil
        case "half": Array(bytes.prefix(bytes.count / 2))
        case "others": bytes.map { $0 ^ 1 }
        default: bytes + bytes
        }
      }
    }
    defer { store.stop() }
    let outcome = try fixture.upload(store, "--retries", "1")
    #expect(outcome.status == 69, "\(outcome.errors)")
    #expect(outcome.isOneComplaint, "\(outcome.errors)")
    #expect(outcome.errors.contains("does not have it: expected the bytes that were sent"), "\(outcome.errors)")
    #expect(try outcome.summary("sent") == 0)
    #expect(try outcome.summary("failed") == 1)
    #expect(try outcome.summary("pending") == 8)
    #expect(store.count("PUT") == 2, "it is tried again")
  }

  @Test("Other bytes of the same size are found where the ETag is no hash; what may not be read counts by its hash")
  func partsNotKept() throws {
    let fixture = try UploadFixture()
    let other = try StrictStore { method, _ in method == "PUT" ? .partsETag { bytes in bytes.map { $0 ^ 1 } } : nil }
    defer { other.stop() }
    let outcome = try fixture.upload(other, "--retries", "0")
    #expect(outcome.status == 69, "\(outcome.errors)")
    #expect(outcome.errors.contains("does not have it: expected the bytes that were sent"), "\(outcome.errors)")
    #expect(try outcome.summary("sent") == 0)
    #expect(other.count("GET") == 1)
    let again = try fixture.upload(other, "--retries", "0")
    #expect(try again.summary("present") == 0, "what lies there is looked at, too")
    let unread = try StrictStore { method, _ in
      switch method {
      case "PUT": .partsETag { $0 }
      case "GET": .answer(403, "AccessDenied")
      default: nil
      }
    }
    defer { unread.stop() }
    let sent = try fixture.upload(unread)
    #expect(sent.status == 0, "\(sent.errors)")
    #expect(try sent.summary("sent") == 8)
  }

  @Test("A store that keeps something else once gets it again")
  func keptOnce() throws {
    let fixture = try UploadFixture()
    let store = try StrictStore { method, number in method == "PUT" && number == 3 ? .keep { _ in [] } : nil }
    defer { store.stop() }
    let outcome = try fixture.upload(store)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try outcome.summary("sent") == 8)
    #expect(try store.objects == fixture.expected())
    #expect(store.count("PUT") == 9)
  }

  @Test(
    "A store whose answer drips or does not end is given up, and so is a run at its time limit",
    arguments: [
      ("drip", "PUT", ["--timeout", "1", "--retries", "0"], "the store does not answer in time"),
      ("drip", "HEAD", ["--timeout", "1", "--retries", "0"], "the store does not answer in time"),
      ("drip", "PUT", ["--time-limit", "1s"], "the time limit of the upload is over"),
      ("refuse", "PUT", ["--time-limit", "1s", "--retries", "20"], "the time limit of the upload is over"),
      ("flood", "PUT", [], "the store's answer does not end: expected at most 65536 bytes"),
      ("flood", "HEAD", [], "the store's answer does not end: expected at most 65536 bytes"),
    ])
  func endless(what: String, at method: String, options: [String], words: String) throws {
    let fixture = try UploadFixture()
    let store = try StrictStore { asked, number in
      guard asked == method, what == "refuse" || number == 2 else { return nil }
      return switch what {
      case "drip": .drip(everyMicroseconds: 50_000)
      case "refuse": .answer(503, "SlowDown")
      default: .flood
      }
    }
    defer { store.stop() }
    let outcome = try fixture.program.run(fixture.arguments(store) + options, environment: UploadFixture.keys)
    #expect(outcome.status == 69, "\(outcome.errors)")
    #expect(outcome.isOneComplaint, "\(outcome.errors)")
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    #expect(try outcome.summary("failed") == 1)
    #expect(try outcome.summary("pending") > 0)
  }

  @Test("A store that says nothing is given up in time; the list is kept, and the rest is sent by the next run")
  func silence() throws {
    let fixture = try UploadFixture()
    let store = try StrictStore { method, number in method == "PUT" && (4...5).contains(number) ? .silence : nil }
    defer { store.stop() }
    let outcome = try fixture.upload(store, "--timeout", "1", "--retries", "1")
    #expect(outcome.status == 69, "\(outcome.errors)")
    #expect(outcome.isOneComplaint, "\(outcome.errors)")
    #expect(outcome.isDiscreet, "\(outcome.errors)")
    #expect(outcome.errors.hasSuffix("the store does not answer in time\n"))
    #expect(try outcome.summary("sent") == 3)
    #expect(try outcome.summary("failed") == 1)
    #expect(try outcome.summary("pending") == 5)
    let plan = try fixture.program.run(["upload", "--pending", "--dry-run"])
    #expect(plan.status == 0)
    #expect(plan.lines.count == 5)
    let before = store.count("PUT")
    let rest = try fixture.continued()
    #expect(rest.status == 0, "\(rest.errors)")
    #expect(try rest.summary("sent") == 5, "\(rest.errors)")
    #expect(try rest.summary("present") == 0, "\(rest.errors)")
    #expect(try store.objects == fixture.expected())
    #expect(store.count("PUT") == before + 5)
    #expect(try fixture.continued().summary("sent") == 0)
  }

  @Test(
    "What does not pass is reported at once, in one line that shows no secret",
    arguments: [
      ("AccessDenied", 403, "403 AccessDenied: expected credentials that may read and write there"),
      ("InvalidRequest", 400, "400 InvalidRequest"), ("NoSuchBucket", 404, "expected a bucket that is there"),
      ("elsewhere", 307, "sends elsewhere, which is not followed: expected AWS_REGION=eu-west-9"),
      ("<b>\u{1B}[31m", 403, "403: expected"),
    ])
  func refused(code: String, status: Int, words: String) throws {
    let fixture = try UploadFixture()
    let elsewhere = try StrictStore()
    defer { elsewhere.stop() }
    let store = try StrictStore { [url = elsewhere.url] method, _ in
      method == "HEAD"
        ? nil : .answer(status, code, headers: ["location": url + "/bucket/x", "x-amz-bucket-region": "eu-west-9"])
    }
    defer { store.stop() }
    let outcome = try fixture.upload(store)
    #expect(outcome.status == 69, "\(outcome.errors)")
    #expect(outcome.isOneComplaint, "\(outcome.errors)")
    #expect(outcome.isDiscreet, "\(outcome.errors)")
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    #expect(!outcome.errors.contains("\u{1B}"), "\(outcome.errors)")
    #expect(store.count("PUT") == 1)
    #expect(elsewhere.requests.isEmpty)
    #expect(try outcome.summary("failed") == 1)
    #expect(try outcome.summary("pending") == 8)
  }

  @Test("A wrong key and a wrong clock are reported as such")
  func wrongKeyAndClock() throws {
    let fixture = try UploadFixture()
    let store = try StrictStore()
    defer { store.stop() }
    let wrong = UploadFixture.keys.merging(["AWS_SECRET_ACCESS_KEY": StrictStore.secret + "x"]) { $1 }
    let outcome = try fixture.upload(store, environment: wrong)
    #expect(outcome.status == 69)
    #expect(outcome.isOneComplaint)
    #expect(outcome.isDiscreet)
    #expect(store.objects.isEmpty)
    #expect(outcome.errors.hasSuffix("403 SignatureDoesNotMatch: expected credentials that hold\n"))
    let late = try StrictStore(dateOffset: 3_600)
    defer { late.stop() }
    let clock = try fixture.upload(late)
    #expect(clock.status == 69)
    #expect(clock.isOneComplaint)
    #expect(clock.isDiscreet)
    #expect(late.count("PUT") == 1)
    #expect(clock.errors.contains(" s behind: expected one that is right"), "\(clock.errors)")
  }

  @Test("A file that changes while it is sent is sent again as it is then")
  func changing() throws {
    let fixture = try UploadFixture()
    let path = try fixture.addFile(bytes: 3 << 20)
    let store = try StrictStore { method, number in
      guard method == "PUT", number == 6 else { return nil }
      return .meanwhile {
        guard let file = FileHandle(forUpdatingAtPath: path) else { return }
        file.write(Data("other".utf8))
        _ = try? file.seekToEnd()
        file.write(Data("more".utf8))
      }
    }
    defer { store.stop() }
    let outcome = try fixture.upload(store)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(try store.objects == fixture.expected())
    #expect(store.done("PUT").count == 9)
    #expect(store.count("PUT") == 10)
    let always = try StrictStore { method, number in
      method != "PUT"
        ? nil
        : .meanwhile { [path] in
          guard let file = FileHandle(forUpdatingAtPath: path) else { return }
          file.write(Data("\(number)\(UUID())".utf8))
        }
    }
    defer { always.stop() }
    let failed = try fixture.upload(always, "--retries", "1")
    #expect(failed.status == 65, "\(failed.errors)")
    #expect(failed.isOneComplaint, "\(failed.errors)")
    #expect(try failed.summary("sent") == 7, "its manifest waits")
    #expect(try failed.summary("pending") == 2, "its manifest waits")
    #expect(!always.objects.keys.contains { $0.hasSuffix("manifest.json") || $0.hasSuffix("large.bin") })
  }
}
