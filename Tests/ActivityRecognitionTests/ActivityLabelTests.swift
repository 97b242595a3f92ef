import Testing
import TextFormats

@testable import ActivityRecognition

@Suite("The name of an activity")
struct ActivityLabelTests {
  @Test("has any characters that can be seen, without spaces around them")
  func names() {
    for text in [
      "walking", "nordic walking", "WALKING_UP", "stairs-down", #"running, "fast""#, "Treppe ↑", "走る", "हिन्दी", "nap",
      "known", "unknown 2", "a/b", "none of it", String(repeating: "a", count: 64),
    ] {
      #expect(ActivityLabel(typed: text)?.text == text, "\(text)")
      #expect(ActivityLabel(typed: "  \(text) ")?.text == text, "\(text)")
    }
  }

  @Test("says something, can be seen, has a length, and is nothing that says that nobody knows")
  func others() {
    for text in [
      "", "  ", "unknown", "Unknown", " UNKNOWN ", "none", "None", "null", "NA", "n/a", "NaN", "-", "a\u{200B}b",
      "a\nb", "\u{1B}[2J", "\u{202E}gniklaw", String(repeating: "a", count: 65),
      "a" + String(repeating: "\u{301}", count: 200),
    ] {
      #expect(ActivityLabel(typed: text) == nil, "\(text.visible)")
    }
    #expect(ActivityLabel.expected.hasPrefix("the name of an activity: 1 to 64 characters"))
  }

  /// A recording with two labels of ten seconds each.
  private func corpus(_ first: String, _ second: String) throws -> MotionCorpus {
    var text = "time_s,acc_x_g,acc_y_g,acc_z_g,gyro_x,gyro_y,gyro_z,label\n"
    for point in 0..<2_000 { text += "\(Double(point) / 100),0,0,1,0,0,0,\(point < 1_000 ? first : second)\n" }
    return MotionCorpus([try #require(MadeUpMotion.file("a.csv", text))], personFrom: .file)
  }

  @Test("is none in any case that says that nobody knows, in recordings too, which is said as it stands there")
  func reserved() throws {
    let corpus = try corpus("walk", "Unknown")
    let error = #expect(throws: MotionTrainingProblem.reservedSpelling("Unknown")) {
      _ = try LabelledWindows(corpus, .standard, .motion)
    }
    #expect(error?.description.contains("--merge other=Unknown") == true)
    let merged = try corpus.merging([LabelGroup(name: "other", labels: ["Unknown"])])
    #expect(try LabelledWindows(merged, .standard, .motion).labels == ["other", "walk"])
  }

  @Test("is cut in a recording where it is longer, which is said with its first line")
  func long() throws {
    let long = String(repeating: "ä", count: 70)
    let corpus = try corpus("walk", long)
    #expect(corpus.labels == ["walk", String(repeating: "ä", count: 64)])
    let lines = MotionNotice.lines(corpus.notices)
    #expect(
      lines.contains(
        "a.csv: 1000 rows with a label of more than 64 characters, which is cut there, first in line 1002"), "\(lines)")
    let fitting = try MotionNotice.lines(self.corpus("walk", String(long.prefix(64))).notices)
    #expect(!fitting.contains { $0.contains("characters") }, "\(fitting)")
  }
}
