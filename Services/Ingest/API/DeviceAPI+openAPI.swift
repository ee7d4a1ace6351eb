import IngestSupport

/// `/openapi.json`.
extension DeviceAPI {
    func openAPI(_ call: DeviceCall) -> Answer {
        Answer(document.bytes, tag: document.tag, caching: "public, max-age=3600", for: call.head)
    }
}
