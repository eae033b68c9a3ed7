// How far a backup or a restore is: it reads everything, some of it several times.

export type BackupStep = 'copying' | 'verifying' | 'checking' | 'restoring'
export const unitOf = (step: BackupStep): string => (step === 'verifying' ? 'market days' : 'bytes')

/** Told how much is done of how much; the steps come one after the other. */
export type BackupProgress = (step: BackupStep, done: number, of: number) => void
