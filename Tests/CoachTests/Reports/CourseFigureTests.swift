import Testing

@testable import ReportPages

@Suite("Figures of a course")
struct CourseFigureTests {
  @Test("The axis of α1 goes from 0 to 1.5, and further where a value lies beyond", arguments: [-0.3, 0.2, 1.9])
  func alpha1(value: Double) {
    let axis = CourseFigure.alpha1Axis(min(value, 0.6)...max(value, 0.8))
    #expect(axis.lowest <= min(0, value))
    #expect(axis.highest >= max(1.5, value))
    #expect(axis.marks.contains(0))
    // It is drawn where it is, not at an edge.
    if value < 0 { #expect(axis.y(value) > axis.y(0)) }
    if value > 0 { #expect(axis.y(value) < axis.y(0)) }
  }
}
