import LiveCoaching
import WorkoutSession

/// The step of a plan, with what is left of it counted down large.
extension FrameParts {
  /// The digits, and beside them the name, what the digits are, what comes next, what became of the step before, and a bar.
  func stepBlock(_ step: LiveStep, _ pixel: PixelFont.Pixel) -> [StyledText] {
    let text = step.leftMeasure(choice.units).number
    let digits = PixelFont.rows(text, pixel, ink: "█").map { StyledText($0, .bold) }
    let gap = pixel == .huge ? 4 : 3
    let left = digits[0].width + gap
    let room = size.columns - left
    var texts: [StyledText] = []
    if pixel == .huge { texts = largeName(step, columns: room) }
    let asked = step.target.map { $0.text(in: choice.units) } ?? "no target"
    let title = StyledText(step.leftTitle(choice.units), .dim)
    if texts.isEmpty {
      texts.append(
        [
          StyledText(step.name, .bold) + .spaces(2) + title + .spaces(2) + StyledText(asked),
          StyledText(step.name, .bold) + .spaces(2) + StyledText(asked), StyledText(step.name, .bold),
        ].fitting(room))
    } else {
      texts.append(title + .spaces(2) + StyledText(asked, .bold))
    }
    texts.append(step.nextTexts.map { StyledText($0) }.fitting(room))
    texts.append(
      step.inTargetText.map { StyledText($0) } ?? StyledText(step.target == nil ? "" : "not in target yet", .dim))
    texts.append(
      board.completed.map { step in step.texts.map { StyledText("\(step.sign) \($0)", .dim) }.fitting(room) } ?? .empty)
    texts.append(progress(step, width: min(room, 60)))
    return digits.indices.map { row in
      digits[row] + .spaces(gap) + (row < texts.count ? texts[row].cut(to: room) : .empty)
    }
  }

  /// The name in block letters with a row under it; empty where they have no room.
  private func largeName(_ step: LiveStep, columns: Int) -> [StyledText] {
    let name = step.name.uppercased().replacing(" OF ", with: "/").replacing(",", with: "")
    guard PixelFont.canWrite(name), PixelFont.width(name, .square) <= columns else { return [] }
    return PixelFont.rows(name, .square, ink: "█").map { StyledText($0, .bold) }
  }

  /// The same where there is room for little: the digits, then those of the heart rate.
  func smallStepBlock(_ step: LiveStep) -> [StyledText] {
    let text = step.leftMeasure(choice.units).number
    let heart = heart(.narrow)
    let room = size.columns - heart[0].width - 3
    let pixel: PixelFont.Pixel = PixelFont.width(text, .square) <= room ? .square : .narrow
    let digits = PixelFont.rows(text, pixel, ink: "█")
    let name = StyledText(step.name, .bold) + .spaces(1) + StyledText(step.leftTitle(choice.units), .dim)
    return [name.cut(to: size.columns)]
      + digits.indices.map { StyledText(digits[$0], .bold).padded(to: room).cut(to: room) + .spaces(3) + heart[$0] }
  }

  /// How much of the step is over, as a bar.
  private func progress(_ step: LiveStep, width: Int) -> StyledText {
    guard let share = step.share, width > 0 else { return .empty }
    let full = min(width, max(0, Int(share * Double(width))))
    return StyledText(String(repeating: "━", count: full), .bold)
      + StyledText(String(repeating: "─", count: width - full), .dim)
  }
}
