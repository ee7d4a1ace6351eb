public import Models

extension Setting where Value == [(plmn: PLMN, name: String)] {
    /// How the networks of the country are called: on the page, and where commands show them.
    public static var operators: Setting {
        // Camtel's code was only seen second-hand; that is why the table is a setting.
        Setting(
            "NKUL_EXPORTER_OPERATORS", default: "62401=MTN,62402=Orange,62403=Camtel,62404=Nexttel",
            range: "PLMN=name,… (five or six digits each)", "networks that the page offers"
        ) { text in
            let operators = text.split(separator: ",").map { entry -> (plmn: PLMN, name: String)? in
                let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
                guard parts.count == 2, let plmn = PLMN(text: parts[0]) else { return nil }
                return (plmn, parts[1])
            }
            return operators.contains { $0 == nil } ? nil : operators.compactMap { $0 }
        }
    }
}
