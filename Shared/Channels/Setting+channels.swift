public import ServiceKit

extension Setting where Value == AddressPolicy {
    /// `NKUL_NOTIFIER_ALLOW_PRIVATE`: which networks channels may be told at although they are not of the internet.
    public static var allowedNetworks: Setting {
        Setting(
            "NKUL_NOTIFIER_ALLOW_PRIVATE", default: "",
            range: "networks by comma, as 127.0.0.0/8,192.168.1.0/24,fd00::/8",
            "networks of the operator's own that channels may be told at; all other addresses must be of the internet"
        ) { text in
            let parts = text.split(separator: ",").map(String.init)
            let networks = parts.compactMap(IPNetwork.init(text:))
            return networks.count == parts.count ? AddressPolicy(allowing: networks) : nil
        }
    }
}
