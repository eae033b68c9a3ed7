// Texts for UTC hours and months, which sort by time. Usage is counted by hour and by month.

/** 2026-11-21T13:00:00Z */
export const hourOf = (ms: number) => `${new Date(ms).toISOString().slice(0, 13)}:00:00Z`
/** 2026-11 */
export const monthOf = (ms: number) => new Date(ms).toISOString().slice(0, 7)

export const monthStartMs = (ms: number) => {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}
export const nextMonthStartMs = (ms: number) => {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}
