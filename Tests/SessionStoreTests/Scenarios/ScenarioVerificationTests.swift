import SessionStore
import Testing
@testable import WorkoutTestSupport

@Suite("The scenarios of the repository")
struct ScenarioVerificationTests {
  @Test("Every scenario comes out as it expects", arguments: ScenarioFolder.files)
  func passes(file: String) {
    let verification = ScenarioVerification.verify(file)
    #expect(verification.passed, "\(verification.text)")
  }
}
