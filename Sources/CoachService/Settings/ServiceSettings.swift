package import ActivityRecognition
package import SessionUpload
package import TextFormats
package import WorkoutSession

/// What `coach serve` is asked for.
package struct ServiceSettings: Sendable {
  /// Where sessions are kept.
  package let dataFolder: StoredPath
  /// Where it is reached from outside, such as `https://coach.example.org`; absent for the address it listens at.
  package var publicURL: String?
  /// The certificate; absent for plain HTTP.
  package var tls: HTTPServerSettings.TLS?
  /// The provider that people sign in with; absent for none.
  package var openID: OpenIDSettings?
  /// Who asks it.
  package var fetching: any WebFetching = CurlFetching()
  /// Whether a proxy in front of it speaks TLS.
  package var isBehindProxy = false
  /// Whether others than this machine can reach it.
  package var isReachable = false
  /// Whether the log is JSON.
  package var logsJSON = false
  /// The program whose verbs read the files of others: this one.
  package var program = "/proc/self/exe"
  /// The models that recognise activities, for sessions that name one.
  package var models: [SharedModel] = []
  /// How sessions that begin keep their motion.
  package var motionLog = MotionLogFormat.csv
  /// The other instances that share the database; absent for a service that runs alone.
  package var fleet: ServiceFleet?
  /// Whether there is no room in a folder.
  package var isFull: @Sendable (StoredPath) -> Bool = { FileSystem.isFull($0) }
  /// How many sessions are live at most.
  package var sessionLimit = 10_000
  /// How many sessions that have ended are in memory at most, for requests that are sent again; each takes about 22 KB.
  package var rememberedEnds = 1_000

  /// The usual settings of a data folder.
  package init(dataFolder: StoredPath) { self.dataFolder = dataFolder }
}
