internal import TextFormats

/// How the rows of a recording are written.
package enum RowForm: Hashable, Sendable {
  /// One a line, after a header.
  case lines
  /// One an object of a JSON array.
  case objects
}

/// Splits a text that comes in pieces of any size into rows of a form.
struct RowSplitter: Sendable {
  let form: RowForm
  private var lines = LineSplitter()
  private var objects = JSONArraySplitter()

  init(form: RowForm) { self.form = form }

  /// Where the first byte stands that follows the rows; `nil` when there is none.
  var trailingOffset: Int? { objects.trailingOffset }

  /// Takes the next piece and gives every row that ends in it to `body`; whole lines are offered to `wholeLines` first.
  ///
  /// - Throws: `LineError`, `JSONArrayError`, or what `body` or `wholeLines` throws. The splitter is of no use afterwards.
  mutating func feed(
    _ chunk: Span<UInt8>, wholeLines: LineSplitter.WholeLines, _ body: (Span<UInt8>, TextLine) throws -> Void
  ) throws {
    switch form {
    case .lines: try lines.feed(chunk, wholeLines: wholeLines, body)
    case .objects: try objects.feed(chunk, body)
    }
  }

  /// Ends the text and gives a last row that has no end to `body`, where that can be one.
  ///
  /// - Throws: as `feed(_:_:)`.
  mutating func finish(_ body: (Span<UInt8>, TextLine) throws -> Void) throws {
    switch form {
    case .lines: try lines.finish(body)
    case .objects: try objects.finish()
    }
  }
}
