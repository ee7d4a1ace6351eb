internal import ExporterSupport
internal import Hummingbird

extension ExporterAPI {
    /// The routes of TM Forum TMF642 v4.
    func actions(
        _ place: TMFPlace, _ caller: Caller
    ) -> [(method: HTTPRequest.Method, action: @Sendable (Request) async throws -> Response)] {
        let alarms = TMFAlarmService(commands: commands), tasks = TMFTaskService(commands: commands)
        switch place {
        case .alarms:
            return [
                (.get, { try await alarms.list($0, of: caller) }), (.post, { _ in try alarms.refuse() }),
            ]
        case .alarm(let id):
            return [
                (.get, { try await alarms.one(id, $0, of: caller) }),
                (.patch, { try await alarms.patch(id, $0, by: caller) }),
                (.delete, { _ in try alarms.refuse() }),
            ]
        case .tasks(let kind):
            return [
                (.get, { try await tasks.list(kind, $0, of: caller) }),
                (.post, { try await tasks.begin(kind, $0, by: caller) }),
            ]
        case .task(let kind, let id): return [(.get, { try await tasks.one(kind, id, $0, of: caller) })]
        case .notBuilt(let why):
            return [.get, .post, .delete].map { method in
                (method, { _ in throw ExporterAPIError(.notImplemented, "not_implemented", why) })
            }
        }
    }
}
