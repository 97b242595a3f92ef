import Testing
import TextFormats

private func date(_ text: String, _ order: DateOrder) -> String? {
  CivilDate(written: text.utf8.span, order: order).map { "\($0)" }
}

private func time(_ text: String, _ order: DateOrder = .unstated) -> String? {
  WallClockTime(written: text.utf8.span, order: order).map { "\($0)" }
}

@Suite("Dates whose order is known, and times of day with what follows them")
struct DateOrderTests {
  @Test("A date is read in its order, and with points the day always stands first")
  func orders() {
    for text in ["2026-04-12", "2026/4/12", "2026.04.12", "12.04.2026", "12.4.26"] {
      for order in [DateOrder.unstated, .dayFirst, .monthFirst] {
        #expect(date(text, order) == "2026-04-12", "\(text)")
      }
    }
    #expect(date("12/04/2026", .dayFirst) == "2026-04-12")
    #expect(date("12-4-2026", .dayFirst) == "2026-04-12")
    #expect(date("4/12/2026", .monthFirst) == "2026-04-12")
    #expect(date("4-12-2026", .monthFirst) == "2026-04-12")
    #expect(date("4/12/2026", .unstated) == "2026-04-12")
    #expect(date("4-12-2026", .unstated) == nil)
    for text in [
      "", "12.4", "12.4.", "12.13.2026", "31.02.2026", "12/4/26", "12.4/2026", "012.4.2026", "1.2.3.4", "a.b.c",
    ] {
      #expect(date(text, .dayFirst) == nil, "\(text)")
    }
  }

  @Test("Numbers show their order where one of them is no month")
  func shownOrder() {
    func shown(_ text: String) -> DateOrder? { DateParts(text.utf8.span)?.shownOrder }
    #expect(shown("13/4/2026") == .dayFirst)
    #expect(shown("4-13-2026") == .monthFirst)
    for text in ["4/12/2026", "13/14/2026", "13.4.2026", "2026-04-13"] { #expect(shown(text) == nil, "\(text)") }
  }

  @Test("A time of day may have a zone, a word or a half of the day behind it")
  func times() {
    #expect(time("12.04.2026 07:21:05") == "2026-04-12T07:21:05Z")
    #expect(time("12.04.2026, 07:21:05,5 Uhr") == "2026-04-12T07:21:05.5Z")
    #expect(time("12.04.2026 07:21Z") == "2026-04-12T07:21:00Z")
    #expect(time("12.04.2026 07:21 UTC") == "2026-04-12T07:21:00Z")
    #expect(time("12.04.2026T07:21+02") == "2026-04-12T05:21:00Z")
    #expect(time("12.04.2026 07:21:00 -0130") == "2026-04-12T08:51:00Z")
    #expect(time("12/04/2026 7:21 p.m.", .dayFirst) == "2026-04-12T19:21:00Z")
    #expect(time("4/12/2026 7:21:00 PM") == "2026-04-12T19:21:00Z")
    for text in [
      "", "12.04.2026", "07:21", "12.04.2026 25:00", "12.04.2026 07:21+", "12.04.2026 07:21+3",
      "12.04.2026 07:21+24:00",
      "12.04.2026 07:21 x", "12.04.2026 Uhr", "12.04.1677 07:21", " 07:21", "T07:21",
    ] {
      #expect(time(text) == nil, "\(text)")
    }
  }
}
