/// The most likely response to what was done, with what is assumed beside the numbers: over how many seconds the speeds of the recordings
/// are to be measured, and what was done before them. Neither is written anywhere; both show in how likely the heart rate is.
struct LikeliestResponse {
  /// By how much the logarithm of the likelihood has to be higher for another assumption than the usual one. Source: ours; by chance it is
  /// higher by less.
  private static let needed = 2.0
  /// The latest second at which a stretch may begin to be the beginning of its session.
  private static let latestBeginning = 30

  /// The stretches that were fitted, with what was assumed.
  let response: HeartRateResponse
  /// The best fit for each delay.
  var profile: DelayProfile
  /// What fits best.
  let best: DelayProfile.MostLikely
  /// Which of ``ResponseStretches/spans`` it is by.
  let place: Int

  /// Over how many seconds speeds are measured.
  var speedSpan: Int { ResponseStretches.spans[place] }

  /// Fits the stretches of one person.
  ///
  /// - Throws: the refusal of whose sessions say too little.
  init(_ stretches: ResponseStretches) throws(RunnerFit.Refusal) {
    let usual = try Fitted(stretches.bySpan[0])
    place = Self.likeliestSpan(stretches, usual.best.estimate)
    let going = place == 0 ? usual : try Fitted(stretches.bySpan[place])
    let chosen = Self.afterRest(going) ?? going
    guard chosen.best.estimate.delay < RunnerFit.delays.upperBound else { throw .noDelay }
    (response, profile, best) = (chosen.response, chosen.profile, chosen.best)
  }

  private struct Fitted {
    let response: HeartRateResponse
    let profile: DelayProfile
    let best: DelayProfile.MostLikely

    init(_ stretches: [HeartRateResponse.Stretch]) throws(RunnerFit.Refusal) {
      response = HeartRateResponse(stretches: stretches)
      var profile = DelayProfile(response)
      best = try profile.mostLikely()
      self.profile = profile
    }
  }

  /// Which span is the likeliest for the time constant and the delay of the usual one.
  private static func likeliestSpan(_ stretches: ResponseStretches, _ usual: HeartRateResponse.Estimate) -> Int {
    var likeliest = (span: 0, logLikelihood: usual.logLikelihood + needed)
    for span in stretches.bySpan.indices.dropFirst() {
      let response = HeartRateResponse(stretches: stretches.bySpan[span])
      guard
        let noise = response.noise(timeConstant: usual.timeConstant, delay: usual.delay, from: usual.remembered),
        let found = response.estimate(timeConstant: usual.timeConstant, delay: usual.delay, noise: noise),
        found.logLikelihood > likeliest.logLikelihood
      else { continue }
      likeliest = (span, found.logLikelihood)
    }
    return likeliest.span
  }

  /// The fit for standing before the recordings, where it is clearly more likely than that all went on as it begins. A stretch after a gap
  /// of a recording goes on as it begins.
  ///
  /// Source: ours; a heart that waits for a delay as a recording begins shows which of them it was.
  private static func afterRest(_ going: Fitted) -> Fitted? {
    let stretches = going.response.stretches.map { stretch in
      var stretch = stretch
      if stretch.start <= latestBeginning { stretch.costBefore = 0 }
      return stretch
    }
    guard let standing = try? Fitted(stretches),
      standing.best.estimate.logLikelihood > going.best.estimate.logLikelihood + needed
    else { return nil }
    return standing
  }
}
