import Foundation
@testable import ReportPages
import Testing
import TextFormats
import WorkoutExports
import WorkoutHistory
import WorkoutSession
import ZoneEngine

extension HistoryFixture {
  /// The page of a session as bytes and as a tree.
  func page(
    of name: String, beside other: String? = nil, hasTrack: Bool = true, privacyRadius: Double? = nil
  ) async throws -> (
    bytes: [UInt8], tree: PageNode, report: SessionReport
  ) {
    let entry = try #require(try await history.session(name))
    let radius = privacyRadius.flatMap { PrivacyRadius(meters: $0) }
    let report = try #require(try await history.report(of: entry, hidingEndsWithin: radius))
    var beside: SessionReport?
    if let other {
      beside = try await history.report(of: #require(try await history.session(other)), hidingEndsWithin: nil)
    }
    let bytes = SessionPage(report, beside: beside, hasTrack: hasTrack).bytes
    return (bytes, try PageTree.read(bytes), report)
  }

  /// The page of some days.
  func page(from first: String, to last: String, person: String? = nil) async throws -> (bytes: [UInt8], tree: PageNode)
  {
    var filter = History.Filter()
    filter.from = clock.start(of: try #require(CivilDate(iso8601: first)))
    filter.until = clock.start(of: try #require(CivilDate(iso8601: last)?.adding(days: 1)))
    filter.person = person
    let bytes = PeriodPage(try #require(try await history.report(of: filter, clock))).bytes
    return (bytes, try PageTree.read(bytes))
  }
}

/// Whatever may scroll is reached by keys and has a name of its own, and nothing else takes a place in the order of keys.
private func checkScrollingAreas(_ tree: PageNode) {
  let areas = tree.elements("div").filter { ["scroll", "across"].contains($0.attributes["class"] ?? "") }
  let names = areas.compactMap { $0.attributes["aria-label"] }
  #expect(names.count == areas.count)
  #expect(names.allSatisfy { !$0.isEmpty })
  #expect(Set(names).count == names.count, "\(names)")
  for area in areas {
    #expect(area.attributes["role"] == "region")
    #expect(area.attributes["tabindex"] == "0")
    #expect(area.elements("table").count == 1)
  }
  #expect(tree.all.count { $0.attributes["tabindex"] != nil } == areas.count)
  // A table that is in no area is narrow enough for a phone: at most five columns, none of sentences.
  let outside = tree.elements("table").count - areas.count
  let blocks = tree.elements("div").filter { block in
    ["data-arms", "data-any-arms"].contains { block.attributes[$0] != nil }
  }
  let narrow = (tree.elements("section") + blocks).flatMap(\.children).filter { $0.name == "table" }
  #expect(narrow.count == outside, "a table stands in its section, in a block that can be switched off, or in an area")
  for table in narrow {
    #expect(table.elements("thead").flatMap { $0.elements("tr") }.allSatisfy { $0.children.count <= 5 })
    #expect(table.elements("td", class: "words").isEmpty)
  }
}

/// What holds for every page.
func checkPage(_ bytes: [UInt8], _ tree: PageNode) {
  let text = String(decoding: bytes, as: UTF8.self)
  #expect(text.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
  #expect(text.hasSuffix("</html>\n"))
  for word in [
    "http:", "https:", "//", "<img", "<link", "<iframe", "src=", "@import", "onload", "javascript",
  ] {
    #expect(!text.contains(word), "\(word)")
  }
  let policy = tree.elements("meta").first { $0.attributes["http-equiv"] == "Content-Security-Policy" }
  // A script that stands in the page, where there are drawings to be read, and no other. Data are never run.
  let scripts = tree.elements("script").filter { $0.attributes["type"] != "application/x-ndjson" }
  let allowed = scripts.map { script in
    var hash = SHA256()
    hash.update(Array(script.text.utf8).span)
    return "; script-src 'sha256-\(Data(hash.finish()).base64EncodedString())'"
  }
  #expect(policy?.attributes["content"] == "default-src 'none'; style-src 'unsafe-inline'" + allowed.joined())
  #expect(scripts.count <= 1)
  #expect(tree.elements("meta").contains { $0.attributes["name"] == "viewport" })
  // Every reference leads to something on the page, and identities are given once.
  let identities = tree.all.compactMap { $0.attributes["id"] }
  #expect(Set(identities).count == identities.count)
  for link in tree.all.compactMap({ $0.attributes["href"] }) {
    #expect(link.hasPrefix("#"), "\(link)")
    #expect(identities.contains(String(link.dropFirst())), "\(link)")
  }
  for part in text.components(separatedBy: "url(#").dropFirst() {
    #expect(identities.contains(String(part.prefix { $0 != ")" })), "\(part.prefix(20))")
  }
  // Drawings that say something are named, the others are hidden.
  for drawing in tree.elements("svg") where drawing.attributes["viewBox"] == nil {
    let names = (drawing.attributes["aria-labelledby"] ?? "").split(separator: " ")
    #expect(
      drawing.attributes["aria-hidden"] == "true" || (drawing.attributes["role"] == "img" && names.count == 2),
      "\(drawing.attributes)")
    for name in names { #expect(tree.element(id: String(name))?.text.isEmpty == false) }
  }
  for head in tree.elements("th") {
    #expect(["row", "col"].contains(head.attributes["scope"]))
    #expect(!head.text.isEmpty, "a column without a name has a cell without a name")
  }
  checkScrollingAreas(tree)
  for figure in tree.elements("figure") { #expect(figure.elements("svg").count > 0) }
  #expect(tree.elements("h1").count == 1)
  for end in [tree.elements("footer").first, tree.elements("header").first?.elements("p", class: "paper").first] {
    #expect(end?.text.contains("no medical device") == true)
  }
  #expect(tree.elements("footer").first?.text.contains("Made by coach \(Program.version).") == true)
}
