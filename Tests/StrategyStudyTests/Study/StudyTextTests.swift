@testable import StrategyStudy
import Testing

@Suite("Numbers of a study as people read them")
struct StudyTextTests {
  @Test("Less than nothing has the minus sign of people's texts, and what rounds to nothing has no sign")
  func signs() {
    #expect(StudyText.number(-2.54, decimals: 1) == "−2.5")
    #expect(StudyText.number(2.54, decimals: 1) == "2.5")
    #expect(StudyText.number(-0.04, decimals: 1) == "0.0")
    #expect(StudyText.signed(3, decimals: 0) == "+3")
    #expect(StudyText.signed(-0.4, decimals: 0) == "0")
    #expect(StudyText.points(0.012) == "+1.2")
    #expect(StudyText.points(-0.025) == "−2.5")
    #expect(StudyText.points(0.0001) == "0.0")
    #expect(StudyText.points(ConfidenceInterval(lower: -0.4, upper: 0.3)) == "−40.0…+30.0")
    #expect(StudyText.percents(ConfidenceInterval(lower: -0.384, upper: 1.198)) == "−38.4–119.8")
    #expect(!StudyText.percent(-0.1).contains("-"))
  }

  @Test(
    "An estimate has two decimals, and more where those would show fewer than two digits of its standard error",
    arguments: [
      (12.3, 2), (0.5, 2), (0.1, 2), (0.095, 2), (0.094, 3), (0.0042, 4), (0.000_96, 4), (0.000_94, 5), (3e-8, 9),
      (1e-17, 2), (0, 2),
    ])
  func decimals(error: Double, decimals: Int) {
    #expect(StudyText.decimals(ofError: error) == decimals)
  }
}
