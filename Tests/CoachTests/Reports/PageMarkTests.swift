@testable import ReportPages
import Testing

@Suite("What a page of coach's begins with")
struct PageMarkTests {
  private func page(_ generator: String = "coach 0.0.9", title: String = "A run") -> String {
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"/>"
      + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>"
      + "<meta name=\"generator\" content=\"\(generator)\"/><title>\(title)</title></head></html>\n"
  }

  @Test("Every page that is made has it, with a script or without")
  func made() {
    for script in [nil, PageScript.reading(seconds: 60), .study(records: Array("{}\n".utf8))] {
      let bytes = Page.bytes(
        title: "A run", header: { $0.element(.h1, "A run") }, patterns: [], script: script, main: { _ in })
      #expect(PageMark.begins(bytes))
      #expect(PageMark.begins(Array(bytes.prefix(PageMark.lookedAtBytes))))
      #expect(!PageMark.begins(Array(bytes.dropFirst())))
    }
  }

  @Test("A page of another version has it, somebody else's has not, whatever its title or text says")
  func others() {
    #expect(PageMark.begins(Array(page().utf8)))
    let mark = "<meta name=\"generator\" content=\"coach 1\"/>"
    for text in [
      "", "mine", page("coachman 1"), page("else", title: "x</title>" + mark), page("else", title: mark),
      mark + page(), String(page().dropLast(60)).replacing("<title>", with: ""),
    ] {
      #expect(!PageMark.begins(Array(text.utf8)), "\(text)")
    }
  }
}
