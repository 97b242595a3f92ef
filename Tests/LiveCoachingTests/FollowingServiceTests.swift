import LiveCoaching
import Synchronization
import Testing

@Suite("A service of several instances, asked without a proxy")
struct FollowingServiceTests {
  private static let path = "/v1/sessions/x/samples?batch=a%20b"

  @Test("An instance that is named by another one is asked from then on, and until it is gone")
  func follows() async throws {
    let asked = Mutex<[String]>([])
    let gone = Mutex(false)
    let service = FollowingService(url: "http://one:1") { (url, _, _, _) throws(RemoteFailure) in
      asked.withLock { $0.append(url) }
      if url.hasPrefix("http://one") {
        let next = gone.withLock { $0 } ? "http://three:3" : "http://two:2"
        return RemoteAnswer(status: 421, body: [], location: next + Self.path)
      }
      if url.hasPrefix("http://two"), gone.withLock({ $0 }) { throw RemoteFailure("no connection") }
      return RemoteAnswer(status: 200, body: [])
    }
    for _ in 0..<2 {
      #expect(try await service.ask(Self.path, body: [1], type: "text/plain", key: nil).status == 200)
    }
    gone.withLock { $0 = true }
    #expect(try await service.ask(Self.path, body: [1], type: "text/plain", key: nil).status == 200)
    let hosts = asked.withLock { $0 }.map { $0.dropFirst(7).prefix { $0 != "/" } }
    #expect(hosts == ["one:1", "two:2", "two:2", "two:2", "one:1", "three:3"])
  }

  @Test("Instances that name each other without an end are given up for now, and one that is alone and gone at once")
  func circle() async throws {
    let count = Mutex(0)
    let circling = FollowingService(url: "http://one:1") { (url, _, _, _) throws(RemoteFailure) in
      count.withLock { $0 += 1 }
      let next = url.hasPrefix("http://one") ? "http://two:2" : "http://one:1"
      return RemoteAnswer(status: 421, body: [], location: next + Self.path)
    }
    let error = await #expect(throws: RemoteFailure.self) {
      try await circling.ask(Self.path, body: nil, type: "text/plain", key: nil)
    }
    #expect(error?.isRefusal == false)
    #expect(count.withLock { $0 } == 4)
    let alone = FollowingService(url: "http://one:1") { (_, _, _, _) throws(RemoteFailure) in
      count.withLock { $0 += 1 }
      throw RemoteFailure("no connection")
    }
    await #expect(throws: RemoteFailure("no connection")) {
      try await alone.ask(Self.path, body: nil, type: "text/plain", key: nil)
    }
    #expect(count.withLock { $0 } == 5)
  }

  @Test(
    "What leads elsewhere than to the same path of another instance is not followed",
    arguments: [
      "http://two:2/v1/other", "http://two:2", "", path, "ftp://two:2" + path, "http://" + path,
      "http://user@two:2" + path, "http://two:2/v1" + path, "http://two 2" + path, "http://two\r\nX: 1" + path,
      "http://two?x=" + path, "two:2" + path,
    ])
  func refused(location: String) {
    var place = RemotePlace("http://one:1")
    let isFollowed = place.follow(location, path: Self.path)
    #expect(!isFollowed)
    #expect(place.url == "http://one:1")
  }

  @Test("A token that is sent encrypted is not sent in the clear elsewhere")
  func encrypted() {
    var place = RemotePlace("https://one")
    let follows = ["http://two:2", "https://two:2"].map { place.follow($0 + Self.path, path: Self.path) }
    #expect(follows == [false, true])
    #expect(place.url == "https://two:2")
    let goesHome = ["https://two:2", "https://one"].map { place.goHome(from: $0) }
    #expect(goesHome == [true, false])
    place = RemotePlace("http://[::1]:8080")
    let isFollowed = place.follow("http://[::1]:8081" + Self.path, path: Self.path)
    #expect(isFollowed)
    #expect(place.url == "http://[::1]:8081")
  }
}
