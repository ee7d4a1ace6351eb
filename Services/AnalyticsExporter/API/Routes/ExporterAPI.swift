package import ExporterSupport
package import Hummingbird
package import Logging
internal import Models
internal import NIOCore
package import ServiceKit

/// Answers the requests of operators, the regulator and the page.
package struct ExporterAPI: HTTPResponder {
    package typealias Context = ExporterContext

    let gate: Gate
    package let services: ExporterServices
    let headers: SecurityHeaders
    let logger: Logger
    let refusals: RefusalMetrics
    /// Everything that can be called.
    let routes: [ExporterRoute]
    let document: ExporterDocument
    private let table: RouteTable

    package init(
        gate: Gate, services: ExporterServices, headers: SecurityHeaders, logger: Logger, refusals: RefusalMetrics
    ) {
        self.gate = gate
        self.services = services
        self.headers = headers
        self.logger = logger
        self.refusals = refusals
        let others = services.routes
        // It describes itself, too.
        let document = ExporterDocument(others + [ExporterDocument.route { _ in throw ExporterAPIError.notFound }])
        self.document = document
        routes = others + [ExporterDocument.route { document.response(to: $0) }]
        table = RouteTable(routes)
    }

    package func respond(to request: Request, context: ExporterContext) async throws -> Response {
        await respond(to: request, from: context.prefix)
    }

    /// Answers; whatever goes wrong is a problem document.
    func respond(to request: Request, from prefix: AddressPrefix) async -> Response {
        var response: Response
        do {
            response = try await answer(request, from: prefix)
        } catch let problem as ExporterAPIError {
            response = refused(problem)
        } catch let fault as ParameterFault {
            response = refused(ExporterAPIError(fault))
        } catch let refusal as DocumentRefusal {
            response = refused(ExporterAPIError(refusal))
        } catch let error as ControlError where error.code == ControlError.stopping {
            response = refused(ExporterAPIError.busy)
        } catch let error as ControlError where error.code == ControlError.journalFull {
            response = refused(ExporterAPIError.journalFull)
        } catch let error as ControlError where error.code == ControlError.notFound {
            response = refused(ExporterAPIError.notFound)
        } catch let error as ControlError where error.code == ControlError.refused {
            response = refused(ExporterAPIError(.conflict, "in_use", error.message))
        } catch let error as ControlError where error.code == ControlError.badArgument {
            response = refused(
                ExporterAPIError(.unprocessableContent, "invalid_member", error.message, field: error.field))
        } catch {
            logger.error("request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            response = refused(ExporterAPIError.internalError)
        }
        headers.add(to: &response.headers)
        return response
    }

    private func refused(_ problem: ExporterAPIError) -> Response {
        refusals.count(problem.code)
        return problem.response
    }

    private func answer(_ request: Request, from prefix: AddressPrefix) async throws -> Response {
        let path = TMF642.path(request.uri.path)
        if let file = services.files.response(path, to: request.headers) {
            guard request.method == .get else { throw ExporterAPIError.methodNotAllowed([.get]) }
            return file
        }
        if StaticFiles.isLeaflet(path) { throw ExporterAPIError.notFound }
        let found = table.find(path), route = found?.routes.first { $0.method == request.method }
        if let route, case .anybody(let action) = route.access {
            try route.checkParameters(of: request)
            return try await action(request, prefix)
        }
        let now = services.systemClock.now()
        switch gate.proof(of: request, now: now) {
        case .nobody:
            if case .contactsOrNobody(_, let nobody) = route?.access { return try nobody() }
            throw ExporterAPIError.unauthorized
        case .refused(let reason): throw await services.login.refuse(reason, from: prefix, now: now)
        case .caller(let caller):
            guard let found else { throw ExporterAPIError.notFound }
            guard let route else { throw ExporterAPIError.methodNotAllowed(found.routes.map(\.method)) }
            try route.checkParameters(of: request)
            let call = ExporterCall(request: request, caller: caller, now: services.clock.now(), names: found.names)
            switch route.access {
            case .contacts(let action), .contactsOrNobody(let action, _): return try await action(call)
            case .anybody(let action): return try await action(request, prefix)
            }
        }
    }
}

/// What is kept of a request's connection: the part of the client's address that a failed login is recorded under.
package struct ExporterContext: InitializableFromSource, Sendable {
    let prefix: AddressPrefix

    package init(source: ApplicationRequestContextSource) {
        prefix = ClientAddress(source.channel.remoteAddress).prefix
    }
}
