/// `/openapi.json`.
extension DeviceAPI {
    func openAPI(_ call: DeviceCall) -> Answer {
        Answer(OpenAPIDocument.bytes, tag: OpenAPIDocument.tag, caching: "public, max-age=3600", for: call.head)
    }
}
