package import LiveCoaching

/// The service with all of its routes.
extension Service {
  /// Creates a service that is reached at a URL; nothing is opened yet.
  package convenience init(_ settings: ServiceSettings, url: String, clock: any LiveClock = SystemLiveClock()) {
    self.init(settings, url: url, clock: clock, routes: RouteTable(Self.allRoutes))
  }

  /// All routes, in the order of the description.
  static var allRoutes: [Route] {
    SessionRoutes.all + HistoryRoutes.all + RecordRoutes.all + NotesRoutes.all + GuidanceRoutes.all + PeopleRoutes.all
      + UploadRoutes.all + GroupRoutes.all + TokenRoutes.all + KeyRoutes.all + SenderRoutes.all + DescriptionRoutes.all
      + HealthRoutes.all + SignInRoutes.all + OpenIDRoutes.all + PageRoutes.all + GroupPageRoutes.all
  }

  /// What requests are given to.
  package var handler: any HTTPHandler { ServiceRouter(service: self) }
}
