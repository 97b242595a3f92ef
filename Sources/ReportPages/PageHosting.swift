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
  /// Rules of a style sheet for charts on a page that is not a report.
  package static let charts = """
    \(Stylesheet.plots)
    .plot{display:block}
    .hollow{fill:var(--page);stroke:var(--ink);stroke-width:1.5}
    .outline{fill:none;stroke:var(--gray);stroke-width:1}
    .charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(28rem,100%),1fr));gap:0 2rem}
    .charts section{min-width:0}
    .charts h3{font-size:1rem;margin:1rem 0 .3rem}
    .charts figure{margin:.5rem 0 1rem}
    .charts figcaption{color:var(--soft);font-size:.875rem}
    @media (max-width:40rem){
    .plot{margin-left:2.4rem;margin-right:1.7rem;width:calc(100% - 4.1rem)}
    .plot .wide{display:none}
    }

    """
  /// The style sheet of a report.
  package static let report = Stylesheet.text
}
