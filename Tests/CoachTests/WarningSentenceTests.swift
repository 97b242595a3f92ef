@testable import Recordings
import Testing
@testable import coach

@Suite("The sentence of a warning about a recording")
struct WarningSentenceTests {
  private func sentence(_ kind: RecordingWarning.Kind, _ count: Int, _ detail: String?) -> String {
    RecordingWarning(kind: kind, position: "here", count: count, detail: detail).sentence
  }

  @Test("says which limit of labels was passed")
  func labels() {
    #expect(sentence(.labelsLeftOut, 2_000, "1000 texts") == "here: labels beyond 1000 texts were left out (2000)")
    #expect(sentence(.labelsLeftOut, 7, nil) == "here: labels beyond 100000 changes were left out (7)")
  }

  @Test("has the count where there are several, and the detail")
  func details() {
    #expect(sentence(.unknownColumns, 1, "mood") == "here: columns that are not known were left out (mood)")
    #expect(sentence(.unknownColumns, 2, "mood, x") == "here: columns that are not known were left out (2: mood, x)")
    #expect(
      sentence(.doubledColumns, 2, "hr, bpm")
        == "here: columns that hold the same as another one were left out (2: hr, bpm)")
    #expect(sentence(.recordingsLeftOut, 6, nil) == "here: further recordings of the archive were left out (6)")
    #expect(sentence(.trailingBytes, 1, nil) == "here: bytes after the end were left out")
  }
}
