/// What a page needs that is no file by itself, but one of several that a service shows: its style and its script in files of
/// their own, and the way to the other pages.
package struct PageHosting: Sendable {
  private let stylesheet: String
  private let script: String
  private let icon: String
  private let links: [(place: String, name: String)]

  /// The surroundings of a page, by the paths of its style sheet, its script, its icon and the other pages.
  package init(stylesheet: String, script: String, icon: String, links: [(place: String, name: String)]) {
    self.stylesheet = stylesheet
    self.script = script
    self.icon = icon
    self.links = links
  }

  func writeHead(to head: inout Markup) {
    head.empty(.link, [.rel: "stylesheet", .href: stylesheet])
    head.empty(.link, [.rel: "icon", .href: icon])
    head.element(.script, [.type: "module", .src: script], "")
  }

  func writeLinks(to body: inout Markup) {
    body.element(.nav, [.class: "pages", .ariaLabel: "Pages"]) { nav in
      nav.element(.ul) { list in
        for link in links { list.element(.li) { $0.element(.a, [.href: link.place], link.name) } }
      }
    }
  }
}

/// The styles of pages that are not written here.
package enum PageStyles {
  /// Rules of a style sheet that define the colours of reports, for light and for dark surroundings.
  package static let colors = """
    \(Palette.rule(\.light))
    @media (prefers-color-scheme:dark){\(Palette.rule(\.dark))}

    """
  /// The style sheet of a report.
  package static let report = Stylesheet.text
}
