/// How an engine asks whoever decides in its place.
extension CoachingEngine {
  /// What is answered at this moment; nobody is asked where no cue could be given.
  @inline(never)
  func judgement(of strategy: AskedStrategy, _ instant: Judgement.Instant) -> Judgement {
    var judgement: Judgement
    var measured: Double?
    if let quantity {
      judgement =
        self.judgement(of: quantity, heartRate: instant.newest)
        ?? Judgement(refusal: .signalLost, evidence: Self.evidence(instant))
      measured = judgement.evidence.measured?.value
    } else {
      judgement = Judgement(newest: instant, sorter)
    }
    guard isRunning, let target, judgement.refusal == nil, let side = judgement.side else { return judgement }
    var runs: [AskedQuestion.HeldRun] = []
    window?.forEachRun(until: now) { bpm, start, end in
      runs.append(AskedQuestion.HeldRun(start: start, end: end, beatsPerMinute: bpm))
    }
    let question = AskedQuestion(
      time: now, active: active, heartRateBPM: instant.newest?.displayedBPM, heartRateAge: instant.newest?.age,
      target: target, side: side, measured: measured, held: runs.reversed())
    switch asks?.answer(question) ?? .missing {
    case .silence: judgement.unsaid = .silent
    case .missing: judgement.unsaid = .unanswered
    case .cue(let action):
      judgement.evidence.isAskedOtherwise = action.side != side
      judgement.side = action.side
    }
    return judgement
  }

  private static func evidence(_ instant: Judgement.Instant) -> Evidence {
    Evidence(
      heartRateBPM: instant.newest?.displayedBPM, heartRateAge: instant.newest?.age, window: nil, covered: nil, held: []
    )
  }
}
