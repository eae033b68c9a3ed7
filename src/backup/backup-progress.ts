// The progress of a backup or restore, by steps. Several steps read the same data.

export type BackupStep = 'copying' | 'verifying' | 'checking' | 'restoring'
export const unitOf = (step: BackupStep): string => (step === 'verifying' ? 'market days' : 'bytes')

/** Receives the amount done and the total of the current step. Steps follow each other. */
export type BackupProgress = (step: BackupStep, done: number, of: number) => void
