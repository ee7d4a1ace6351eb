internal import ServiceKit

extension DeviceOperation {
    /// Access and erasure.
    static let requests: [DeviceOperation] = [
        later(.data, "POST", "requestData", "Asks for everything that is held about this device", isSigned: true),
        later(.dataRequest, "GET", "showDataRequest", "Gives it, once it is gathered", isSigned: true),
        later(.erasures, "POST", "requestErasure", "Asks for erasure", isSigned: true),
        later(.erasure, "GET", "showErasure", "Tells how far an erasure is", isSigned: true),
    ]

    /// Documents that anybody may read.
    static let documents: [DeviceOperation] = [
        DeviceOperation(
            route: .openAPI, method: "GET", id: "showDocument", summary: "This document",
            parameters: [APIParameter.ifNoneMatch],
            answers: [
                APIAnswer(200, "OpenAPI 3.1", schema: ["type": "object"], headers: APIAnswer.tagged),
                APIAnswer(304, "It is the one that was named", headers: APIAnswer.tagged),
            ]),
        later(.keys, "GET", "showKeys", "Public keys that verify receipts and audit heads"),
    ]
}
