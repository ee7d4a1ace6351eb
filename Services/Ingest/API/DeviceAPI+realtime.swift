internal import IngestCommit
internal import IngestSupport
package import IngestUploads
internal import Models
package import NIOCore
internal import ServiceKit

/// `/v1/realtime`: messages instead of requests.
extension DeviceAPI {
    /// Reads a message, hands it to the commit thread like an upload of one record, and has its receipt told.
    ///
    /// Called on the loop; `reply` is called on it, once, and before this returns if the message is refused at once.
    package func record(
        _ message: ByteBuffer, of device: DeviceIdentity, in session: RealtimeSession, on loop: any EventLoop,
        _ reply: @escaping @Sendable (Result<Receipt, DeviceAPIError>) -> Void
    ) {
        let began = ContinuousClock.now
        do throws(DeviceAPIError) {
            if let problem = admission.refusesCall(of: device.ordinal) ?? admission.refusesRows(of: device.ordinal) {
                throw problem
            }
            let upload = try message.withUnsafeReadableBytes { bytes in
                Result { () throws(DeviceAPIError) in
                    let envelope = try self.realtimeKinds.envelope(of: bytes)
                    return try reader.read(bytes, of: device, as: session.request(envelope, arrivedAt: clock.now()))
                }
            }.get()
            guard upload.rowCount == 1 else { throw DeviceAPIError(.tooManyRows, "a message is one record") }
            metrics.parsed.observe(.now - began)
            if let problem = admission.refuses(rows: 1, of: device.ordinal) { throw problem }
            queue.offer(
                .upload(upload) { result in
                    let result = result.mapError { self.refused($0, of: device, rows: 1) }
                    loop.execute {
                        if case .success(let receipt) = result, let trust = receipt.trust {
                            self.directory.learn(trust, of: session.token)
                        }
                        reply(result)
                    }
                })
        } catch { reply(.failure(refused(error, of: device, rows: 0))) }
    }

    /// Looks for the device of a token that is not in memory; `then` is called on the loop, with nil if it is nobody's.
    package func findDevice(
        _ token: TokenHash, on loop: any EventLoop,
        then: @escaping @Sendable (Result<DeviceIdentity?, DeviceAPIError>) -> Void
    ) {
        directory.find(token, on: loop).whenComplete { result in then(result.mapError { self.lookUpFailed($0) }) }
    }

    /// Counts a refusal; what a device had taken of its rate for a record that could not be stored is given back.
    private func refused(_ problem: DeviceAPIError, of device: DeviceIdentity, rows: Int) -> DeviceAPIError {
        metrics.refused.count(problem.code)
        if problem.status == 503, rows > 0 { admission.giveBack(rows: rows, of: device.ordinal) }
        return problem
    }
}

extension DeviceAPIError {
    /// The document as the answer to a message: with its number on the connection, from 0, and what a header would say.
    package func body(ofMessage number: Int) -> [UInt8] {
        var more = ",\"message\":\(number)"
        if let retryAfter { more += ",\"retry_after\":\(retryAfter)" }
        return body.dropLast() + Array((more + "}").utf8)
    }
}
