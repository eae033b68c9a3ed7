// Figures as commands print them: counts with commas for people, megabytes, and how long something took.

export const grouped = (count: number): string => count.toLocaleString('en-US')

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** To the millisecond; `startedMs` is of performance.now(). */
export const secondsSince = (startedMs: number): number => Math.round(performance.now() - startedMs) / 1_000
