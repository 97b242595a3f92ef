/// Where a quantity that is asked for lay while one of its values was held.
package struct HeldSide: Hashable, Sendable {
  /// From when it was held.
  package let start: SessionTime
  /// Until when, unless another value comes before, or a pause; where it is ``start``, nothing is held from there on.
  package let end: SessionTime
  /// Where it lay.
  package let side: TargetSide

  /// Creates it from its parts.
  package init(start: SessionTime, end: SessionTime, side: TargetSide) {
    (self.start, self.end, self.side) = (start, end, side)
  }
}
