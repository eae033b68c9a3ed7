// Prints numbers for people: counts with commas, megabytes, seconds.

export const grouped = (count: number): string => count.toLocaleString('en-US')

/** Formats a count with its noun: 1 file, 2 files, 1,440 buckets. */
export const counted = (count: number, what: string): string => `${grouped(count)} ${what}${count === 1 ? '' : 's'}`

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** Returns the seconds since `startedMs`, rounded to the millisecond; `startedMs` is from performance.now(). */
export const secondsSince = (startedMs: number): number => Math.round(performance.now() - startedMs) / 1_000
