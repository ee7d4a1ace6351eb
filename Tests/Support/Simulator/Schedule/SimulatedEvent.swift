/// Something rare that worlds are made for. A test sees to it that each happens in some of them.
public enum SimulatedEvent: String, Sendable, CaseIterable {
    case restored, journalFull, urgentDeferred, uploadWithoutConsent, consentChangedMeanwhile, consentReduced
    case tenantRemoved, tenantSawServed, hiddenFromOperator, refusedBesideShared
    case becameTrusted, grewOld, alarmUntrusted, alarmLate, grantUntrusted
    case alarmOver, alarmAgain, alarmEvidenceLate, alarmHandled, actRefused
    case ruleAlarmRaised, ruleAlarmOver, ruleAlarmAgain, ruleAlarmWithdrawn, ruleRemoved, ruleSetAgain, ruleDoubtful
    case released, dayReleased
    case endTold, changeTold, offerTold, toldAgain, alarmFires, handledAlarmEnded
    case payoutTaken, payoutRefused, payoutWithdrawn, payoutErased
    case grantConfirmed, grantRejected, grantReversed, askedAboutPayment, dailyMaximumReached
    case optionalReaderDetached, optionalReaderMissedBlocks
    case readerMetNewerKind, upgraded
    case readerCurrent, readerIdle, writerSilent
    case rawRowsRetired, rowOfAGoneDay, receiptsRetired, failuresRetired, contributionsRetired, alarmsRetired
    case linksForgotten, ledgerRetired, noticesRetired, consentsRetired, dryRunKeptItsWord, retentionLate
    case erasedInTheNight, daysSealed, sealedCellKept, sealedCellRemoved
    case exportsMade, exportRewritten
    case copyRead, copyWithdrawn, copyExpired
    case erased, partErased, areaErased, lateRecordRefused, erasureLate
    case homeBackedUp, backupTookAnotherMoment, erasureAtBackup, serviceAwayAtBackup, halfRestoredHomeRefused
    case homeRestored, homeRestoredTwice, sameBackupRestoredAgain, restoreKilled, serviceKilledInRestore
    case orderedSinceErasedAgain, orderedSinceForgotten, recordsLost, lostRecordReturned, receiptOutlivedHome
    case enrolledAgain, paidInLostLife, copyLost, copyReadAfterRestore, nightAfterRestore
}
