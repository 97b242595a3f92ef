internal import WorkoutExports

/// A piece of a page: HTML that is well-formed XML too.
///
/// Names of elements and attributes come from closed sets, everything else is escaped as it is written. So no text, of
/// whatever origin, can become an element.
struct Markup {
  /// The elements that a page is made of.
  enum Element: String {
    case html, head, meta, title, style, link, script, body, header, main, section, footer, nav, figure, figcaption,
      details, summary
    case h1, h2, h3, h4, p, div, span, strong, a, ul, li, dl, dt, dd, bdi, code, br
    case table, caption, thead, tbody, tfoot, tr, th, td
    case svg, g, defs, pattern, path, rect, line, circle, text, use, desc, linearGradient, stop
    case input, label, fieldset, legend, button, output
  }

  /// The attributes that elements have.
  enum Attribute: String {
    case `class`, id, lang, name, content, charset, href, scope, role, open, dir, rel, type, src
    case httpEquiv = "http-equiv"
    case ariaHidden = "aria-hidden"
    case ariaLabelledBy = "aria-labelledby"
    case ariaLabel = "aria-label"
    case tabIndex = "tabindex"
    case colspan
    case viewBox, preserveAspectRatio, patternUnits, patternTransform, vectorEffect = "vector-effect"
    case width, height, x, y, x1, x2, y1, y2, dx, dy, r, cx, cy, d, fill, stroke, transform, overflow
    case textAnchor = "text-anchor"
    case gradientUnits, offset, stopColor = "stop-color"
    case `for`, checked, value, hidden
    case ariaLive = "aria-live"
    case dataSeconds = "data-seconds"
    case dataArms = "data-arms"
    case dataAnyArms = "data-any-arms"
    case dataAnyBehaviours = "data-any-behaviours"
    case dataBehaviour = "data-behaviour"
    case dataHeight = "data-height"
  }

  /// Attributes with their values.
  typealias Attributes = KeyValuePairs<Attribute, String>

  private var xml = XMLText()
  /// What areas of the page are called, so that whoever hears them can distinguish them.
  private var areaNames: Set<String> = []

  /// What was written so far, in UTF-8.
  var bytes: [UInt8] { xml.bytes }

  /// Appends what begins every page in HTML.
  mutating func doctype() { xml.raw("<!DOCTYPE html>\n") }

  /// Appends an element with what `content` appends.
  ///
  /// - Parameter more: attributes behind the others.
  mutating func element(
    _ element: Element, _ attributes: Attributes, and more: Attributes = [:], _ content: (inout Markup) -> Void
  ) {
    begin(element, attributes, more)
    xml.raw(">")
    content(&self)
    xml.raw("</\(element.rawValue)>")
  }

  /// Appends an element without attributes.
  mutating func element(_ element: Element, _ content: (inout Markup) -> Void) { self.element(element, [:], content) }

  /// Appends an element that holds a text.
  mutating func element(_ element: Element, _ attributes: Attributes, _ text: String) {
    self.element(element, attributes) { $0.text(text) }
  }

  /// Appends an element without attributes that holds a text.
  mutating func element(_ element: Element, _ text: String) { self.element(element, [:], text) }

  /// Appends an element that holds nothing: a part of a drawing, or one that HTML knows to be empty.
  mutating func empty(_ element: Element, _ attributes: Attributes = [:]) {
    begin(element, attributes)
    xml.raw("/>")
  }

  /// Appends the style sheet. It is ours, and HTML would take what is escaped in it for what it says.
  mutating func stylesheet(and more: String = "") { xml.raw("<style>\n\(Stylesheet.text)\n\(more)</style>") }

  /// Appends a script of ours.
  mutating func script(_ script: PageScript) { xml.raw("<script>\(script.text)</script>") }

  /// Appends records in JSON, one a line, which a script reads; a browser neither shows nor runs them.
  ///
  /// - Parameter records: JSON, in which what XML could take for its own stands in strings alone, so that it can be escaped there.
  mutating func data(_ records: [UInt8], id: String) {
    xml.raw("<script type=\"application/x-ndjson\" id=\"\(id)\">")
    xml.raw(
      String(decoding: records, as: UTF8.self).replacing("<", with: "\\u003c").replacing(">", with: "\\u003e")
        .replacing("&", with: "\\u0026"))
    xml.raw("</script>")
  }

  /// Appends a text.
  mutating func text(_ text: String) { xml.escapedWithSpaces(text) }

  /// Appends a name that somebody chose, kept apart from the direction of the text around it.
  mutating func name(_ text: String) { element(.bdi, text) }

  /// Appends what may need more room than a screen has, in an area that scrolls then, and that keys reach for it. A name
  /// that another area of the page has gets a number.
  ///
  /// - Parameters:
  ///   - name: What is in it.
  ///   - isTall: Whether it is to scroll downwards too, and not to the side alone.
  mutating func scrollingArea(_ name: String, isTall: Bool = false, _ content: (inout Markup) -> Void) {
    var unique = name
    var number = 1
    while !areaNames.insert(unique).inserted {
      number += 1
      unique = "\(name) (\(number))"
    }
    element(
      .div, [.class: isTall ? "scroll" : "across", .role: "region", .ariaLabel: unique, .tabIndex: "0"], content)
  }

  /// Ends the line, so that the source can be read.
  mutating func newline() { xml.raw("\n") }

  private mutating func begin(_ element: Element, _ attributes: Attributes, _ more: Attributes = [:]) {
    xml.raw("<\(element.rawValue)")
    for attributes in [attributes, more] {
      for (attribute, value) in attributes {
        xml.raw(" \(attribute.rawValue)=\"")
        xml.escapedWithSpaces(value)
        xml.raw("\"")
      }
    }
  }
}
