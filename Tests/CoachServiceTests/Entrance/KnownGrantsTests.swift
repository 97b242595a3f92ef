@testable import CoachService
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("The grants that hold")
struct KnownGrantsTests {
  private func grant(_ secret: String, _ kind: Caller.Kind, id: String = "x", until seconds: Double) -> AccessGrant {
    AccessGrant(
      Caller(kind, id: id, scopes: [.watch], person: nil), digest: AccessSecret.digest(of: secret),
      createdAt: .morning(), expiresAt: .morning(seconds))
  }

  @Test("A secret is found as what it is, until it ends; one that was revoked does not come back with an older reading")
  func readings() {
    var grants = KnownGrants()
    let all = [grant("a", .token, until: 100), grant("b", .key, until: 100)]
    grants.take(GrantReading(number: 2, version: 5, grants: all))
    #expect(grants.version == 5)
    #expect(grants.grant("a", .token, now: .morning(99)) == all[0])
    #expect(grants.grant("a", .token, now: .morning(100)) == nil)
    #expect(grants.grant("a", .key, now: .morning()) == nil)
    #expect(grants.holds("b", now: .morning()))
    #expect(!grants.holds("c", now: .morning()))
    #expect(grants.holds(all[1].caller, now: .morning()))
    #expect(grants.takeChange() == true)
    #expect(grants.takeChange() == false)
    grants.take(GrantReading(number: 3, version: 5, grants: [all[1]]))
    #expect(grants.takeChange() == false, "nobody else changed anything")
    grants.take(GrantReading(number: 2, version: 9, grants: all))
    #expect(!grants.holds("a", now: .morning()))
    #expect(grants.number == 3)
    grants.keepChange()
    #expect(grants.takeChange() == true)
  }

  @Test("Somebody is known by the identity of their secret, whatever they are called by now, and only while it holds")
  func current() {
    func grant(_ person: String, _ kind: Caller.Kind = .token) -> AccessGrant {
      AccessGrant(
        Caller(kind, id: "x", scopes: [.watch], person: person), digest: AccessSecret.digest(of: "a"),
        createdAt: .morning(), expiresAt: .morning(100))
    }
    var grants = KnownGrants()
    #expect(grants.current(grant("ann").caller, now: .morning()) == nil)
    grants.take(GrantReading(number: 1, version: 1, grants: [grant("anna")]))
    #expect(grants.current(grant("ann").caller, now: .morning(99)) == grant("anna").caller)
    #expect(grants.current(grant("ann").caller, now: .morning(100)) == nil)
    #expect(grants.current(grant("ann", .cookie).caller, now: .morning()) == nil)
    let isTaken = grants.take(GrantReading(number: 1, version: 2, grants: []))
    #expect(!isTaken)
    #expect(grants.current(grant("ann").caller, now: .morning()) != nil)
    grants.take(GrantReading(number: 2, version: 2, grants: []))
    #expect(grants.current(grant("ann").caller, now: .morning()) == nil)
  }

  @Test("A sign-in holds for longer by being used, which is to be written down once it is minutes; nothing else does")
  func signIns() {
    var grants = KnownGrants()
    let idle = Double(SignIns.idleSeconds)
    grants.take(
      GrantReading(
        number: 1, version: 1, grants: [grant("a", .cookie, until: idle), grant("b", .token, until: 100)]))
    #expect(grants.signIn(of: "b", now: .morning()) == nil)
    #expect(grants.signIn(of: "a", now: .morning(299))?.id == "x")
    #expect(grants.takeExtended().isEmpty)
    #expect(grants.signIn(of: "a", now: .morning(301))?.id == "x")
    #expect(grants.takeExtended() == ["x": .morning(301 + idle)])
    #expect(grants.takeExtended().isEmpty)
    #expect(grants.signIn(of: "a", now: .morning(300 + idle))?.id == "x")
  }
}
