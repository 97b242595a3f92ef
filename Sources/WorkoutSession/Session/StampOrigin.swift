/// Whose clock a stamp is of: a stream of a sender, and of a device where the sender names it.
package struct StampOrigin: Hashable, Sendable {
  /// The sender.
  package let feed: LiveFeed
  /// The device, where it is named.
  package let source: String?
  /// The stream.
  package let stream: SampleStream

  /// Creates an origin.
  package init(feed: LiveFeed, source: String?, stream: SampleStream) {
    self.feed = feed
    self.source = source
    self.stream = stream
  }

  /// Whether another origin is of the same device, which has one clock.
  func isOfSameDevice(as other: StampOrigin) -> Bool { feed == other.feed && source == other.source }
}
