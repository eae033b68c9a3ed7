// The progress of a backup or restore, which reads everything, some of it several times.

export type BackupStep = 'copying' | 'verifying' | 'checking' | 'restoring'
export const unitOf = (step: BackupStep): string => (step === 'verifying' ? 'market days' : 'bytes')

/** Receives the amount done and the total; the steps come one after the other. */
export type BackupProgress = (step: BackupStep, done: number, of: number) => void
