/// The pages of groups.
enum GroupPageRoutes {
  static let all = [groups, board, join]

  private static let html = RouteAnswer(200, "text/html", "The page.")

  static let groups = Route(.get, "/groups", .page, "The groups, and how to make one.", answers: [html]) { call in
    try await GroupListPage.response(call)
  }

  static let board = Route(
    .get, "/board/{id}", .page, "The board of a group, and what a member shares.",
    parameters: [
      QueryParameter("view", #"{"enum":["coach","wall"]}"#, "for whom it is; for a coach when nothing is said")
    ],
    answers: [html]
  ) { call in
    let view = call.parameter("view")
    guard view == nil || view == "coach" || view == "wall" else {
      throw ServiceProblem.parameter("view", expected: "coach or wall")
    }
    do {
      let (group, audience) = try await call.group()
      return GroupBoardPage.response(group, audience, isWall: view == "wall", call)
    } catch let problem as ServiceProblem where problem.code == .notFound {
      return nothing(call)
    }
  }

  static let join = Route(
    .get, "/join/{id}", .page, "The invitation to a group: what is shared, and a button to join.", answers: [html]
  ) { call in
    let caller = try call.requireCaller()
    // Whoever knows the identity of a group is invited.
    guard let group = try await call.service.store.group(call.value("id")) else { return nothing(call) }
    if let person = caller.person, group.member(person) != nil { return .seeOther("/board/" + group.id) }
    return GroupJoinPage.response(group, call)
  }

  private static func nothing(_ call: ServiceCall) -> HTTPResponse {
    if PageAnswer.wantsJSON(call.request.head) { return ServiceProblem.notFound.response }
    return PageAnswer.html(
      PageFrame(title: "Not found", call).text(
        "<h1>There is no such group</h1><p><a href=\"/groups\">The groups that there are</a></p>"), status: 404)
  }
}
