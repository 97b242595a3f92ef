package import TextFormats
package import WorkoutSession
package import ZoneEngine

/// Draws the strategies of sessions from the arms of a study, balanced within a person.
package struct SessionRandomizer: Sendable {
  /// What a session of an activity is drawn from, and what it aims at.
  package struct Course: Hashable, Sendable {
    /// The label of the sessions that belong to it, such as `running`.
    package let activity: String
    /// Where the heart rate should be, when the session says nothing else.
    package let target: TargetRequest
    /// The arms.
    package let design: RandomizedDesign

    /// Creates a course.
    package init(activity: String, target: TargetRequest, design: RandomizedDesign) {
      self.activity = activity
      self.target = target
      self.design = design
    }
  }

  /// The courses of the study; never empty.
  private let courses: [Course]
  /// Gives the seed of each draw.
  private let seed: @Sendable () -> Int

  /// Draws from the courses of a study.
  ///
  /// - Parameter seed: gives the seed of each draw, not negative.
  /// - Precondition: there is a course, and their activities differ.
  package init(_ courses: [Course], seed: @escaping @Sendable () -> Int) {
    precondition(!courses.isEmpty && Set(courses.map(\.activity)).count == courses.count, "a study has courses")
    self.courses = courses
    self.seed = seed
  }

  /// Draws an arm for a session and puts its strategy into the request, the target of the study where the request has
  /// neither a target nor a plan, and the activity of the course where the request says none.
  ///
  /// Whether it is refused never depends on the arm that would be drawn.
  /// - Throws: `RandomizationError` when nothing can be drawn; `FileError` or `RecordingError` when earlier sessions cannot
  ///   be looked at.
  /// - Complexity: O(sessions in the data folder).
  package func draw(
    for request: SessionRequest, on day: CivilDate?, loop: Randomization.Loop, in dataFolder: StoredPath
  ) throws -> SessionRequest {
    let (course, person, drawnBefore) = try earlier(request, on: day, in: dataFolder)
    var request = aimed(request, course)
    let drawn = Randomization(course.design, drawnBefore: drawnBefore, seed: seed(), person: person, loop: loop)
    request.coaching.strategy = course.design.arms[drawn.arm].strategy
    request.randomization = drawn
    return request
  }

  /// Whether the study has several courses, and the request does not say by an activity which of them it is of.
  package func lacksActivity(_ request: SessionRequest) -> Bool { courses.count > 1 && !request.statesActivity }

  /// Throws what ``draw(for:on:loop:in:)`` would throw, and draws nothing.
  ///
  /// - Throws: as said there.
  package func check(_ request: SessionRequest, on day: CivilDate?, in dataFolder: StoredPath) throws {
    _ = try earlier(request, on: day, in: dataFolder)
  }

  private func earlier(
    _ request: SessionRequest, on day: CivilDate?, in dataFolder: StoredPath
  ) throws -> (course: Course, person: SessionPerson, drawnBefore: [Int]) {
    guard let person = request.person else { throw RandomizationError.noPerson }
    let course = try course(for: request)
    var coaching = aimed(request, course).coaching
    for arm in course.design.arms {
      coaching.strategy = arm.strategy
      do throws(ZoneError) {
        _ = try coaching.settings(on: day)
      } catch {
        throw RandomizationError.arm(arm.name, error)
      }
    }
    return (course, person, try EarlierDraws.counts(of: person, in: course.design, dataFolder: dataFolder))
  }

  /// The course of an activity; where nobody said what it is, that of a study with one.
  private func course(for request: SessionRequest) throws(RandomizationError) -> Course {
    if courses.count == 1, !request.statesActivity { return courses[0] }
    let activity = request.coaching.activity
    guard let course = courses.first(where: { $0.activity == activity.label }) else {
      throw .course(activity: activity.label, expected: courses.map(\.activity))
    }
    return course
  }

  private func aimed(_ request: SessionRequest, _ course: Course) -> SessionRequest {
    var request = request
    if !request.statesActivity, let activity = Activity(course.activity) {
      request.coaching.activity = activity
    }
    if request.coaching.target == nil, request.coaching.plan == nil { request.coaching.target = course.target }
    return request
  }
}
