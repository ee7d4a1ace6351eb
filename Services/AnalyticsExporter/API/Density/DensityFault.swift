internal import ExporterSupport
internal import HTTPTypes
internal import Hummingbird
internal import Models
internal import NIOCore
internal import ServiceKit

/// Why a request for crowd density is not answered, by the words of CAMARA.
struct DensityFault: Error, Equatable {
    enum Code: String, CaseIterable {
        case invalidArgument = "INVALID_ARGUMENT"
        case invalidSink = "INVALID_SINK"
        case permissionDenied = "PERMISSION_DENIED"
        case invalidArea = "POPULATION_DENSITY_DATA.INVALID_AREA"
        case maximumStart = "POPULATION_DENSITY_DATA.MAX_STARTTIME_EXCEEDED"
        case minimumStart = "POPULATION_DENSITY_DATA.MIN_STARTTIME_EXCEEDED"
        case invalidEnd = "POPULATION_DENSITY_DATA.INVALID_END_TIME"
        case invalidPeriod = "POPULATION_DENSITY_DATA.INVALID_TIME_PERIOD"
        case longestPeriod = "POPULATION_DENSITY_DATA.MAX_TIME_PERIOD_EXCEEDED"
        case unsupportedPrecision = "POPULATION_DENSITY_DATA.UNSUPPORTED_PRECISION"
        case unsupportedRequest = "POPULATION_DENSITY_DATA.UNSUPPORTED_REQUEST"

        var status: HTTPResponse.Status {
            switch self {
            case .permissionDenied: .forbidden
            case .unsupportedPrecision, .unsupportedRequest: .unprocessableContent
            default: .badRequest
            }
        }
    }

    let code: Code
    /// The member at fault, as a path: `area.boundary[3].latitude`.
    let field: String?
    /// For people; names what is allowed.
    let message: String

    init(_ code: Code, _ field: String?, _ message: String) {
        self.code = code
        self.field = field
        self.message = message
    }

    /// CAMARA's `ErrorInfo`, and the member at fault.
    var response: Response {
        get throws {
            var members: [String: JSONValue] = [
                "status": .integer(Int64(code.status.code)), "code": .string(code.rawValue),
                "message": .string((field.map { "\($0): " } ?? "") + message),
            ]
            if let field { members["field"] = .string(field) }
            return Response(
                status: code.status, headers: [.contentType: "application/json"],
                body: .init(byteBuffer: ByteBuffer(bytes: try SortedJSON.bytes(of: JSONValue.object(members)))))
        }
    }
}
