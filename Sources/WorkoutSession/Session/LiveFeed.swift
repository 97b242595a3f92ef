/// Identifies a stream of lines: one sender's lines are whole and numbered among themselves.
package struct LiveFeed: Hashable, Sendable {
  /// The source, in the order of the command line.
  package let source: Int
  /// The connection of the source, from 0.
  package let connection: Int

  /// The feed of a connection.
  package init(source: Int, connection: Int = 0) {
    self.source = source
    self.connection = connection
  }
}
