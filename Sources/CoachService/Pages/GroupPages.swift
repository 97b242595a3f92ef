/// `/groups`: the groups of somebody, and how to make one.
enum GroupListPage {
  /// The page.
  static func response(_ call: ServiceCall) async throws -> HTTPResponse {
    let caller = try call.requireCaller()
    let groups = try await call.groups()
    let own = groups.filter { $0.0.belongs(to: caller) }.map { ownCard($0.0) }
    let joined = groups.compactMap { group, _ in
      caller.person.flatMap { group.member($0) }.map { joinedCard(group, $0) }
    }
    let main = """
      <h1>Groups</h1>
      <p>A group shows the live runs of those who have joined it on one board, for a coach or on the wall. Everybody joins by
      themselves, says what they share, and leaves when they like.</p>
      \(joined.isEmpty ? "" : "<h2>Joined</h2><ul class=\"cards\">\(joined.joined())</ul>")
      <h2>\(caller.person == nil ? "All groups" : "Yours")</h2>
      \(own.isEmpty ? "<p>None yet.</p>" : "<ul class=\"cards\">\(own.joined())</ul>")
      <h2>Make a group</h2>
      <form id="make" class="fields">
      <div class="field"><label for="name">Name</label>
      <input id="name" maxlength="60" required autocomplete="off" aria-describedby="name-help">
      <p class="soft" id="name-help">Those who are invited see it.</p></div>
      <p class="all"><button type="submit" class="main">Make the group</button></p>
      <p class="all note" id="note" role="status"></p>
      </form>
      """
    return PageAnswer.html(
      PageFrame(title: "Groups", call, script: .groups).text(main), call.stayingSignedIn)
  }

  private static func ownCard(_ group: RunnerGroup) -> String {
    let count = group.members.count == 1 ? "1 member" : "\(group.members.count) members"
    let id = PageAnswer.escaped(group.id)
    return """
      <li><h3><bdi>\(PageAnswer.escaped(group.name))</bdi></h3><p class="soft">\(count)</p>
      <p class="pair"><a class="button main" href="/board/\(id)">Board</a>
      <a class="button" href="/board/\(id)?view=wall">For the wall</a></p></li>
      """
  }

  private static func joinedCard(_ group: RunnerGroup, _ member: GroupMember) -> String {
    """
    <li><h3><bdi>\(PageAnswer.escaped(group.name))</bdi></h3>
    <p class="soft">You share \(GroupWords.shares(member.shares)).</p>
    <p><a class="button" href="/board/\(PageAnswer.escaped(group.id))">Change or leave</a></p></li>
    """
  }
}

/// `/board/{id}`: the board of a group, for a coach or on the wall, and for a member what others see of them.
enum GroupBoardPage {
  /// The page.
  static func response(
    _ group: RunnerGroup, _ audience: RunnerGroup.Audience, isWall: Bool, _ call: ServiceCall
  ) -> HTTPResponse {
    let isOwn = audience == .everybody
    let own = call.caller?.person.flatMap { group.member($0) }
    let path = "/board/" + PageAnswer.escaped(group.id)
    let main = """
      <h1 class="live-title" data-group="\(PageAnswer.escaped(group.id))" data-audience="\(isOwn ? "everybody" : "member")">\
      <bdi>\(PageAnswer.escaped(group.name))</bdi></h1>
      <noscript><p class="notice">The board needs JavaScript: without it nothing on it would be live.</p></noscript>
      \(isOwn ? "" : "<p>Those who watch this group see this of you, and nothing else:</p>")
      <p id="status" class="status" data-kind="bad" role="status">Connecting…</p>
      \(isOwn ? "<p id=\"call\" class=\"call\" role=\"status\"></p>" : "")
      <ul class="tiles" id="tiles" aria-label="Runners"></ul>
      <p id="empty" hidden>Nobody has joined yet.</p>
      \(own.map { !isWall ? sharing(group, $0) : "" } ?? "")
      \(isOwn && !isWall ? management(group, call) : "")
      \(isOwn ? "<p class=\"other-view\">\(isWall ? "<a href=\"\(path)\">For the coach</a>" : "<a href=\"\(path)?view=wall\">For the wall</a>")</p>" : "")
      <p class="note" id="note" role="status"></p>
      """
    return PageAnswer.html(
      PageFrame(title: group.name, call, script: .tiles, isWide: true, isOnWall: isWall).text(main),
      call.stayingSignedIn)
  }

  private static func sharing(_ group: RunnerGroup, _ member: GroupMember) -> String {
    """
    <section aria-labelledby="share-title"><h2 id="share-title">What you share</h2>
    \(GroupWords.form(group, person: member.person, shares: member.shares, button: "Save"))
    <p><button type="button" id="leave">Leave the group</button></p>
    <p class="soft">Both take effect at once, on every board that is open.</p></section>
    """
  }

  private static func management(_ group: RunnerGroup, _ call: ServiceCall) -> String {
    let link = PageAnswer.escaped(call.service.url + "/join/" + group.id)
    let own = call.caller?.person
    let isIn = own.map { group.member($0) != nil } ?? true
    return """
      <section aria-labelledby="invite-title"><h2 id="invite-title">Invite</h2>
      <p>Send this address to those who are to join. It opens for who is signed in as themselves; what they share is up to
      them.</p>
      <div class="field invite"><label for="invite">Address of the invitation</label>
      <input id="invite" readonly value="\(link)"></div>
      <p class="pair"><button type="button" id="copy">Copy the address</button>
      \(isIn ? "" : "<a class=\"button\" href=\"/join/\(PageAnswer.escaped(group.id))\">Join it yourself</a>")</p></section>
      <section aria-labelledby="members-title"><h2 id="members-title">Members</h2>
      <ul class="sources" id="members"></ul>
      <details><summary>End the group</summary>
      <p>Nobody is in it any more, and its board and tokens show nothing. Runs are kept by those who ran them.</p>
      <p><button type="button" id="end">End the group</button></p></details></section>
      """
  }
}

/// `/join/{id}`: the invitation to a group.
enum GroupJoinPage {
  /// The page.
  static func response(_ group: RunnerGroup, _ call: ServiceCall) -> HTTPResponse {
    let maker = group.person.map { "<bdi>\(PageAnswer.escaped($0))</bdi>" } ?? "the owner of this service"
    let name = "<bdi>\(PageAnswer.escaped(group.name))</bdi>"
    let join: String
    if let person = call.caller?.person {
      join = """
        <p>While you run, those who watch the group see your name, whether you run, and what you tick here. It may be on a wall,
        where everybody in the room sees it. Nobody sees your earlier runs by it.</p>
        \(GroupWords.form(group, person: person, shares: [.heartRate], button: "Join"))
        <p class="soft">You can change that or leave at any time; both take effect at once.</p>
        """
    } else {
      join = """
        <p class="notice">You are signed in as the owner of this service, and nobody is put into a group by somebody else. Who
        wants to join signs in as themselves: <code>coach token link --person NAME</code> makes the link for it.</p>
        """
    }
    return PageAnswer.html(
      PageFrame(title: "Join \(group.name)", call, script: .groups).text(
        "<h1>Join \(name)?</h1><p>It is a group of \(maker).</p>\(join)<p class=\"note\" id=\"note\" role=\"status\"></p>"
      ),
      call.stayingSignedIn)
  }
}

/// What the pages of groups say.
enum GroupWords {
  /// What somebody shares, within a sentence.
  static func shares(_ shares: Set<GroupShare>) -> String {
    switch (shares.contains(.heartRate), shares.contains(.position)) {
    case (true, true): "heart rate, zone and position"
    case (true, false): "heart rate and zone"
    case (false, true): "your position"
    case (false, false): "nothing"
    }
  }

  /// The form in which somebody says what they share.
  static func form(_ group: RunnerGroup, person: String, shares: Set<GroupShare>, button: String) -> String {
    let choices = [
      (GroupShare.heartRate, "Heart rate, with zone, advice and time in the target"), (.position, "Position"),
    ].map { share, words in
      """
      <div class="check"><input type="checkbox" name="share" id="share-\(share.rawValue)" value="\(share.rawValue)"\
      \(shares.contains(share) ? " checked" : "")><label for="share-\(share.rawValue)">\(words)</label></div>
      """
    }
    return """
      <form id="share" class="fields" data-group="\(PageAnswer.escaped(group.id))" data-person="\(PageAnswer.escaped(person))">
      <fieldset class="all"><legend>Shared with those who watch</legend>\(choices.joined(separator: "\n"))</fieldset>
      <p class="all"><button type="submit" class="main">\(button)</button></p></form>
      """
  }
}
