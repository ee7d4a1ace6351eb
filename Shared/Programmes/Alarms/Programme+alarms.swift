public import Models
internal import QoE

extension Programme {
    /// Sites with sensors and doors. Their rows are shown to whoever owns the site; nothing of them is counted in cells.
    public static let alarms = Programme(number: 2, name: "alarms", kinds: [.sensorEvent, .commandResult])
}

extension ProgrammeKind {
    /// What a sensor has noticed.
    public static let sensorEvent = ProgrammeKind(
        .sensorEvent, path: "/v1/sensor-events",
        description: Description(
            schema: "SensorEvent", operation: "sendSensorEvents", summary: "Sends what sensors of a site notice",
            example: """
                {"seq":1,"captured_at":"2026-11-21T08:30:00Z","site":12,"sensor":7,"state":"HIGH","value":61.5,\
                "battery_pct":80}
                """,
            csv: "seq,captured_at_ms,site,sensor,state,value\r\n1,1795249800000,12,7,HIGH,61.5\r\n"),
        scope: .number(scheme: SensorEvent.siteScheme, column: SensorEvent.site),
        subject: .number(scheme: SensorEvent.sensorScheme, column: SensorEvent.sensor), isCounted: false,
        held: HeldText(
            english: "what sensors noticed that report by this device",
            french: "ce qu'ont signalé les capteurs reliés à cet appareil",
            whyEnglish: "whoever owns the site is told of alarms, and sees how sensors are",
            whyFrench: "le propriétaire du site est averti des alarmes et voit l'état des capteurs"))

    /// What a device made of a command.
    public static let commandResult = ProgrammeKind(
        .commandResult, path: "/v1/command-results",
        description: Description(
            schema: "CommandResult", operation: "sendCommandResults", summary: "Says what became of a command",
            example: """
                {"seq":2,"captured_at":"2026-11-21T08:31:00Z","site":12,"door":3,\
                "command":"7b0c6f2d9a1e4c5880d1f3a2b4c5d6e7","result":"opened"}
                """,
            csv: "seq,captured_at_ms,site,door,command,result\r\n"
                + "2,1795249860000,12,3,7b0c6f2d9a1e4c5880d1f3a2b4c5d6e7,opened\r\n"),
        scope: .number(scheme: SensorEvent.siteScheme, column: CommandResult.site),
        subject: .number(scheme: "door", column: CommandResult.door), isCounted: false,
        held: HeldText(
            english: "what this device made of commands to open doors",
            french: "ce que cet appareil a fait des ordres d'ouverture",
            whyEnglish: "who opened a door, and whether it opened, is to be found out later",
            whyFrench: "savoir plus tard qui a ouvert une porte, et si elle s'est ouverte"))
}

extension Programmes {
    /// The programmes of this build, with which its services are put together. That they pass the check is tested.
    public static let ofThisBuild: Programmes = {
        do { return try Programmes([.qoe, .alarms]) } catch { preconditionFailure("\(error)") }
    }()
}
