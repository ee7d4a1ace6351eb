internal import Models
internal import NIOCore
#if canImport(Glibc)
    internal import Glibc
#endif

/// What a speed test tells of itself while it runs, as ndt7 has it.
struct SpeedTestMeasurement {
    let direction: SpeedTestCore.Direction
    /// Microseconds since its beginning, and bytes of messages that were moved in that time.
    let elapsed: Int64
    let bytes: Int
    let client: String
    let server: String
    /// Names the connection.
    let id: String
    /// What the kernel knows of the connection; nil if it could not be asked.
    var kernel: tcp_info?

    /// The JSON document.
    var text: [UInt8] {
        var json = JSONWriter()
        json.raw("{\"Test\":\"\(direction.rawValue)\",\"Origin\":\"server\",\"AppInfo\":{\"ElapsedTime\":\(elapsed)")
        json.raw(",\"NumBytes\":\(bytes)},\"ConnectionInfo\":{\"Client\":")
        json.string(client)
        json.raw(",\"Server\":")
        json.string(server)
        json.raw(",\"UUID\":\"\(id)\"}")
        if let kernel {
            json.raw(",\"TCPInfo\":{\"ElapsedTime\":\(elapsed),\"RTT\":\(kernel.tcpi_rtt)")
            json.raw(",\"RTTVar\":\(kernel.tcpi_rttvar),\"SndCwnd\":\(kernel.tcpi_snd_cwnd)")
            json.raw(",\"SndMSS\":\(kernel.tcpi_snd_mss),\"RcvMSS\":\(kernel.tcpi_rcv_mss)")
            json.raw(",\"Lost\":\(kernel.tcpi_lost),\"Retrans\":\(kernel.tcpi_retrans)")
            json.raw(",\"TotalRetrans\":\(kernel.tcpi_total_retrans),\"PMTU\":\(kernel.tcpi_pmtu)}")
        }
        json.raw("}")
        return json.bytes
    }
}
