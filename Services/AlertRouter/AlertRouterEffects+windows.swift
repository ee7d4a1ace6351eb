package import SubjectRights

extension AlertRouterEffects {
    /// Takes over from now on what these windows find.
    package func follow(_ windows: RuleWindows) { desk = windows.desk }

    /// What the router declares of the rights of subjects when windows of rules run beside it: they have forgotten before it signs.
    package var subjectsWithWindows: SubjectDeclaration {
        var subjects = subjects
        subjects.waitsFor = [WindowsEffects.reader]
        return subjects
    }
}
