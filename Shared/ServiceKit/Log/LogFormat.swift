/// How lines of the log look: `NKUL_LOG_FORMAT`.
public enum LogFormat: String, CaseIterable, Sendable {
    /// logfmt, which people and machines read: `time=… level=info service=ingest msg=listening address=127.0.0.1:8080`.
    case text
    /// An object a line: `{"label":"ingest","level":"info","message":"listening","metadata":{…},"time":"…"}`.
    case json
}
