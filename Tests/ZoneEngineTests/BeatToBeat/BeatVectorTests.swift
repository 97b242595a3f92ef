import Testing
import ZoneEngine

/// What the engine makes of intervals between beats, against other programs' calculations; `scripts/beat-vectors` makes these.
@Suite struct BeatVectorTests {
  @Test("Artefacts are those that NeuroKit2 finds", arguments: BeatVector.all)
  func artefacts(_ vector: BeatVector) {
    let found = BeatCorrection(vector.milliseconds).artefacts.map { "\($0.beat) \($0.kind.rawValue)" }
    #expect(found == vector.artefacts)
  }

  /// NeuroKit2 moves beats to whole microseconds.
  @Test("RMSSD and SDNN are those of NeuroKit2 to a ten-thousandth of a millisecond", arguments: BeatVector.all)
  func spread(_ vector: BeatVector) throws {
    let variability = try #require(BeatVariability(of: vector.milliseconds))
    #expect(try abs(#require(variability.rmssdMilliseconds) - vector.rmssd) < 1e-4)
    #expect(try abs(#require(variability.sdnnMilliseconds) - vector.sdnn) < 1e-4)
  }

  @Test("α1 is that of NeuroKit2 and of nolds to a hundred-thousandth", arguments: BeatVector.all)
  func alpha1(_ vector: BeatVector) throws {
    let variability = try #require(BeatVariability(of: vector.milliseconds))
    let alpha1 = try #require(variability.alpha1)
    #expect(abs(alpha1 - vector.neurokitAlpha1) < 1e-5)
    #expect(abs(alpha1 - vector.noldsAlpha1) < 1e-5)
  }
}
