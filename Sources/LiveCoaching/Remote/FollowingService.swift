internal import Synchronization

/// A service of one instance, or of several without a proxy in front: who answers that another instance has the session says where,
/// and is asked there from then on. When that one is gone, the instance that was named says who has it now.
package final class FollowingService: RemoteService {
  /// Makes one request at a whole address and waits for its answer.
  package typealias Fetch =
    @Sendable (_ url: String, _ body: [UInt8]?, _ type: String, _ key: String?) async throws(RemoteFailure) ->
    RemoteAnswer

  /// How many instances are asked for one request at most: sessions may move on meanwhile.
  private static let mostAsked = 4

  private let place: Mutex<RemotePlace>
  private let fetch: Fetch

  /// A service at an address without a slash at its end.
  package init(url: String, _ fetch: @escaping Fetch) {
    place = Mutex(RemotePlace(url))
    self.fetch = fetch
  }

  package func ask(
    _ path: String, body: [UInt8]?, type: String, key: String?
  ) async throws(RemoteFailure) -> RemoteAnswer {
    for _ in 0..<Self.mostAsked {
      let url = place.withLock { $0.url }
      let answer: RemoteAnswer
      do throws(RemoteFailure) { answer = try await fetch(url + path, body, type, key) } catch {
        guard place.withLock({ $0.goHome(from: url) }) else { throw error }
        continue
      }
      guard answer.status == 421, let location = answer.location,
        place.withLock({ $0.follow(location, path: path) })
      else { return answer }
    }
    throw RemoteFailure("the session moves from one instance to another")
  }
}

/// Where the requests of a session go.
package struct RemotePlace: Hashable, Sendable {
  /// The address that was named, without a slash at its end.
  package let home: String
  /// The address that is asked now.
  package private(set) var url: String

  /// Requests go to the address that was named.
  package init(_ home: String) {
    self.home = home
    url = home
  }

  /// Goes where an answer says that the session is.
  ///
  /// - Parameter location: the address of the same path there.
  /// - Returns: `false`, and nothing changes, for another path, for what is no address of HTTP, and for one to which a token would
  ///   be sent in the clear that is encrypted here.
  package mutating func follow(_ location: String, path: String) -> Bool {
    guard location.hasSuffix(path) else { return false }
    let next = String(location.dropLast(path.count))
    let isEncrypted = next.hasPrefix("https://")
    guard isEncrypted || next.hasPrefix("http://") && !url.hasPrefix("https://") else { return false }
    let host = next.dropFirst(isEncrypted ? 8 : 7)
    guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && !Self.refused.contains($0) }) else {
      return false
    }
    url = next
    return true
  }

  /// What stands in no host with its port.
  private static let refused = Set("/\\?#@".utf8)

  /// Goes back to the address that was named when another one does not answer.
  ///
  /// - Parameter failed: the address that did not; somebody else may have gone on to another one meanwhile.
  /// - Returns: whether there is another one to ask now.
  package mutating func goHome(from failed: String) -> Bool {
    if url == failed { url = home }
    return url != failed
  }
}
