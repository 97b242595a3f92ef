import StrategyStudy
import Testing

@Suite("Behaviours as text")
struct BehaviourTests {
  @Test("Each part has its usual values, and reflex has none")
  func usual() throws {
    #expect(try Behaviour("reflex") == .reflex)
    #expect(try Behaviour("relapse").relapseSeconds == 90)
    let anticipation = try #require(try Behaviour("anticipate").anticipation)
    #expect(anticipation.share == 1)
    #expect(anticipation.leadSeconds == 45)
    #expect(anticipation.unforeseen == .works)
    let steering = try #require(try Behaviour("visible").steering)
    #expect(steering.gain == 0.35)
    #expect(steering.everySeconds == 15)
  }

  @Test("Parts are combined in any order, with their own and the general keys")
  func combined() throws {
    let behaviour = try Behaviour("visible:gain=0.5+anticipate:rho=spread,lead=15,unforeseen=never,compliance=0.3")
    #expect(behaviour.steering?.gain == 0.5)
    #expect(behaviour.anticipation?.share == nil)
    #expect(behaviour.anticipation?.leadSeconds == 15)
    #expect(behaviour.anticipation?.unforeseen == .rests)
    #expect(behaviour.compliance == 0.3)
    #expect(behaviour.latencySeconds == nil)
    #expect(behaviour.relapseSeconds == nil)
    #expect(try Behaviour("anticipate:lead=15+visible") == Behaviour("visible+anticipate:lead=15"))
    let faulty = try Behaviour(
      "reflex:artifact=0.1,artifactSeconds=60,dropout=0.2,dropoutSeconds=30,latency=2,step=0.2,magnitude=0")
    #expect(faulty.artifacts == .init(share: 0.1, seconds: 60))
    #expect(faulty.dropouts == .init(share: 0.2, seconds: 30))
    #expect(faulty.latencySeconds == 2)
    #expect(faulty.step == 0.2)
    #expect(!faulty.doublesStep)
  }

  @Test(
    "What is no behaviour is refused in one line that says what was expected",
    arguments: [
      "", "reflexes", "reflex+visible", "visible+visible", "relapse:tau=0", "relapse:tau=nan", "relapse:tau=0x10",
      "relapse:rho=1", "anticipate:rho=2", "anticipate:unforeseen=maybe", "visible:gain=", "visible:gain",
      "reflex:compliance=1,compliance=1", "reflex:latency=0", "reflex:latency=4.5", "reflex:magnitude=2", "visible+",
      "reflex:artifact=1e400",
    ])
  func refused(text: String) {
    let error = #expect(throws: BehaviourError.self) { try Behaviour(text) }
    #expect(error?.description.hasPrefix("behaviour '\(text)': expected ") == true)
  }
}
