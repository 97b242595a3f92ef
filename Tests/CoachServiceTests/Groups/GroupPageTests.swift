@testable import CoachService
import LiveCoaching
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("The pages of groups")
struct GroupPageTests {
  @Test("Each has the policy of this service alone, holds no script or style in itself, and names are text on it")
  func policy() async throws {
    let group = try await GroupHarness(ScratchFolder())
    let name = #"{"name":"<b>&\"wall\" "# + "it’s" + #""}"#
    let made = await group.service.send("POST", "/v1/groups", group.tina, body: name)
    let id = try #require(made.json?["groupID"]?.string, "\(made.text)")
    let page = try await group.service.signIn(person: "tina")
    for path in ["/groups", "/board/\(id)", "/board/\(id)?view=wall", "/join/\(id)"] {
      let shown = await group.service.send("GET", path, headers: [page])
      #expect(shown.status == 200, "\(path)")
      #expect(shown.header("Content-Security-Policy") == PageAnswer.policy, "\(path)")
      #expect(shown.text.contains("&lt;b&gt;&amp;"), "\(path)")
      for inline in ["<style", " style=", "onclick=", "javascript:", "<script>", "<b>"] {
        #expect(!shown.text.contains(inline), "\(path) has \(inline)")
      }
    }
    #expect(await group.service.send("GET", "/board/\(id)?view=moon", headers: [page]).status == 422)
    await group.service.service.close()
  }

  @Test("An invitation is joined by who is signed in as themselves, and leads to what others see of them")
  func invitation() async throws {
    let group = try await GroupHarness(ScratchFolder())
    let (ann, owner) = (try await group.service.signIn(person: "ann"), try await group.service.signIn())
    let invitation = await group.service.send("GET", "/join/\(group.id)", headers: [ann])
    #expect(invitation.text.contains("tuesday"))
    #expect(invitation.text.contains(#"value="heartRate" checked"#))
    #expect(!invitation.text.contains(#"value="position" checked"#))
    let owners = await group.service.send("GET", "/join/\(group.id)", headers: [owner])
    #expect(!owners.text.contains("<form"))
    #expect(await group.service.send("GET", "/join/0123456789abcdef", headers: [ann]).status == 404)
    _ = await group.join("ann", #"["position"]"#, by: group.ann)
    let joined = await group.service.send("GET", "/join/\(group.id)", headers: [ann])
    #expect(joined.header("Location") == "/board/\(group.id)")
    let board = await group.service.send("GET", "/board/\(group.id)", headers: [ann]).text
    #expect(board.contains(#"data-audience="member""#))
    #expect(board.contains(#"value="position" checked"#))
    #expect(!board.contains("invite"))
    await group.service.service.close()
  }

  @Test("The list has the groups of somebody and those that they have joined, and no others")
  func list() async throws {
    let group = try await GroupHarness(ScratchFolder())
    for (person, isListed) in [("tina", true), ("ann", false), ("ben", true)] {
      if person == "ben" { _ = await group.join("ben", "[]", by: group.ben) }
      let page = await group.service.send("GET", "/groups", headers: [try await group.service.signIn(person: person)])
      #expect(page.text.contains("/board/\(group.id)") == isListed, "\(person)")
    }
    await group.service.service.close()
  }
}
