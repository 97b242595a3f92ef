@testable import CoachService
import Testing
import TextFormats

@Suite("The secrets that hold")
struct AccessDirectoryTests {
  private static let end = WallClockTime(nanoseconds: 1_000)
  private static let now = WallClockTime(nanoseconds: 500)

  private static func caller(_ number: Int, person: String? = "ann") -> Caller {
    Caller(.token, id: "token-\(number)", scopes: [.watch], person: person)
  }

  private static func directory(_ count: Int) -> AccessDirectory {
    AccessDirectory(
      (0..<count).map { number in
        let digest = (0..<32).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 4))) }
        return AccessGrant(
          caller(number), digest: digest, createdAt: WallClockTime(nanoseconds: 0), expiresAt: end)
      })
  }

  @Test("Somebody is let in as who they were when they asked, until their secret ends")
  func holds() {
    let directory = Self.directory(3)
    for number in 0..<3 { #expect(directory.holds(Self.caller(number), now: Self.now)) }
    #expect(!directory.holds(Self.caller(3), now: Self.now))
    // The same token by the name of somebody else, as before the person was renamed.
    #expect(!directory.holds(Self.caller(1, person: "ben"), now: Self.now))
    #expect(!directory.holds(Self.caller(1, person: nil), now: Self.now))
    #expect(!directory.holds(Self.caller(1), now: Self.end))
    #expect(!AccessDirectory().holds(Self.caller(0), now: Self.now))
  }
}
