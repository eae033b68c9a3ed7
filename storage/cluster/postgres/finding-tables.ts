// The tables of what finds markets.

export const FINDING_TABLES: readonly string[] = []
