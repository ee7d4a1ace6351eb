import Foundation

@testable import IngestUploads

/// A target: what is done with the bytes that libFuzzer thinks of.
protocol FuzzTarget {
    /// - Throws: what does not hold for these bytes.
    mutating func run(_ bytes: UnsafeRawBufferPointer) throws
}

/// The target that `NKUL_FUZZ_TARGET` names. libFuzzer runs on one thread.
nonisolated(unsafe) private var target: any FuzzTarget = {
    switch ProcessInfo.processInfo.environment["NKUL_FUZZ_TARGET"] ?? "" {
    case "json": UploadTarget(format: .json)
    case "ndjson": UploadTarget(format: .json, isLines: true)
    case "csv": UploadTarget(format: .csv)
    case "inflate": InflateTarget()
    case "websocket": WebSocketTarget()
    case "panel": PanelTarget()
    case "geosubmit": GeosubmitTarget()
    case let name: fatalError("NKUL_FUZZ_TARGET: there is no target \(name)")
    }
}()

/// libFuzzer calls this for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func runOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try target.run(UnsafeRawBufferPointer(start: start, count: count))
    } catch {
        fatalError("\(error)")
    }
    return 0
}
