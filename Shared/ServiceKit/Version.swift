/// The version of this build: all programs of one checkout have the same.
public enum Version {
    /// Shown by `--version`, `/healthz` and `run/<service>.json`.
    public static let text = "0.1.0"
}
