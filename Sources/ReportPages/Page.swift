internal import TextFormats
internal import WorkoutSession

/// What a page does beside being there, where its browser runs scripts.
enum PageScript {
  /// The drawings of a session of so many seconds are read.
  case reading(seconds: Double)
  /// Arms and behaviours of a study are chosen; the records that the page carries, one a line.
  case study(records: [UInt8])

  /// What is run.
  var text: String {
    switch self {
    case .reading: ReadingScript.text
    case .study: StudyScript.text
    }
  }

  /// The style of what it adds, beside that of every page.
  fileprivate var style: String {
    switch self {
    case .reading: ""
    case .study: StudyScript.style
    }
  }

  /// What a browser needs so that it runs the script, and no other.
  fileprivate var policySource: String {
    var hash = SHA256()
    hash.update(Array(text.utf8).span)
    return "'sha256-\(Base64.text(hash.finish(), .standard))'"
  }
}

/// What every page has in common: its head, and what is said at its end.
enum Page {
  /// What a browser may load: nothing but the style that stands in the page, and the script of a page that is read.
  private static func policy(_ script: PageScript?) -> String {
    "default-src 'none'; style-src 'unsafe-inline'" + (script.map { "; script-src \($0.policySource)" } ?? "")
  }

  private static let maker = "Made by coach \(Program.version)."
  private static let disclaimer =
    "coach is a training aid and no medical device; nothing on this page is a medical finding or advice. "
    + "If you feel unwell, stop."

  /// A whole page in UTF-8, ended by a line break.
  ///
  /// - Parameter script: what the page does; absent for one that is read alone.
  static func bytes(
    title: String, header: (inout Markup) -> Void, patterns: [BandPattern], hosting: PageHosting? = nil,
    script: PageScript? = nil, main: (inout Markup) -> Void
  ) -> [UInt8] {
    var page = Markup()
    page.doctype()
    page.element(.html, [.lang: "en"]) { html in
      html.newline()
      html.element(.head) { head in
        head.empty(.meta, [.charset: "utf-8"])
        // A host says by itself what may be loaded, and has the style in a file of its own.
        if hosting == nil {
          head.empty(.meta, [.httpEquiv: "Content-Security-Policy", .content: policy(script)])
        }
        head.empty(.meta, [.name: "viewport", .content: "width=device-width, initial-scale=1"])
        head.empty(.meta, [.name: "generator", .content: "coach \(Program.version)"])
        if case .reading(let seconds) = script {
          head.empty(.meta, [.name: ReadingScript.lengthName, .content: "\(seconds)"])
        }
        head.element(.title, title)
        head.newline()
        if let hosting { hosting.writeHead(to: &head) } else { head.stylesheet(and: script?.style ?? "") }
      }
      html.newline()
      html.element(.body) { body in
        hosting?.writeLinks(to: &body)
        Symbols.write(patterns, to: &body)
        body.element(.header) { head in
          header(&head)
          // On paper it stands here, since two lines at the end would have a sheet to themselves now and then.
          head.element(.p, [.class: "note paper"], "\(maker) \(disclaimer)")
        }
        body.newline()
        body.element(.main, main)
        body.newline()
        body.element(.footer) { footer in
          footer.element(.p, maker)
          footer.element(.p, disclaimer)
        }
        if case .study(let records) = script { body.data(records, id: StudyScript.dataName) }
        if hosting == nil, let script { body.script(script) }
      }
    }
    page.newline()
    return page.bytes
  }
}

extension Markup {
  /// Appends a part of a page under a heading that can be linked to.
  ///
  /// - Parameter attributes: with which arms and behaviours of a study it is shown; none for what is always there.
  mutating func section(
    _ id: String, _ heading: String, shownWith attributes: Attributes = [:], _ content: (inout Markup) -> Void
  ) {
    newline()
    element(.section, [.id: id], and: attributes) { section in
      section.element(.h2, heading)
      content(&section)
    }
  }

  /// Appends a paragraph in small letters.
  mutating func note(_ text: String) { element(.p, [.class: "note"], text) }

  /// Appends links to parts of the page.
  mutating func contents(_ parts: [(id: String, heading: String)]) {
    contents(parts.map { ($0.id, $0.heading, [:]) })
  }

  /// Appends links to parts of the page, with which arms and behaviours of a study one is shown.
  mutating func contents(_ parts: [(id: String, heading: String, shownWith: Attributes)]) {
    element(.nav) { nav in
      nav.element(.ul) { list in
        for part in parts {
          list.element(.li, part.shownWith) {
            $0.element(.a, [.href: "#" + part.id], part.heading)
          }
        }
      }
    }
  }

  /// Appends figures with their names; `more` stands under a figure in small letters.
  mutating func facts(_ facts: [(name: String, text: String, more: String?)]) {
    element(.dl, [.class: "facts"]) { list in
      for fact in facts {
        list.element(.div) { cell in
          cell.element(.dt, fact.name)
          cell.element(.dd) { value in
            value.text(fact.text)
            if let more = fact.more { value.element(.span, more) }
          }
        }
      }
    }
  }

  /// Appends names with what is said of them.
  mutating func list(_ rows: [(name: String, text: String)]) {
    element(.dl, [.class: "list"]) { list in
      for row in rows {
        list.element(.dt, row.name)
        list.element(.dd) { $0.name(row.text) }
      }
    }
  }
}
