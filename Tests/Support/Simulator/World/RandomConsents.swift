/// What the subscribers of a world allow when they enrol, and how they change their minds.
struct RandomConsents {
    /// A subscriber says what is allowed from now on.
    struct Change {
        let phone: Int
        let at: Int64
        let purposes: Set<String>
    }

    /// One a phone.
    let enrolments: [Change]
    let changes: [Change]

    /// Draws consents; most changes fall into the moments in which an upload is on its way. In one world of ten every third
    /// subscriber allows everything but to share with operators.
    init(seed: UInt64, of world: RandomWorld, phones: Int, start: Int64, span: Int64) {
        var random = SeededRandom(seed: seed)
        enrolments = (0..<phones).map { phone in
            let at = random.chance(600) ? start : start + Int64(random.below(1500))
            let purposes = Self.purposes(&random)
            return Change(
                phone: phone, at: at,
                purposes: seed % 10 == 9 ? Self.allButEveryThird(phone) : purposes)
        }
        changes = (0..<random.below(7)).map { _ in
            let upload = random.pick(world.uploads)
            let at =
                random.chance(700) ? upload.sendAt + Int64(random.below(40)) : start + Int64(random.below(Int(span)))
            return Change(phone: upload.phone, at: at, purposes: Self.purposes(&random))
        }
    }

    private static func allButEveryThird(_ phone: Int) -> Set<String> {
        phone % 3 == 0 ? ReferenceConsent.all.subtracting(["operator_sharing"]) : ReferenceConsent.all
    }

    private static func purposes(_ random: inout SeededRandom) -> Set<String> {
        let all = ReferenceConsent.all
        guard random.chance(600) else { return all }
        return Set(all.sorted().filter { random.chance($0 == "measurement" ? 900 : 650) })
    }
}
