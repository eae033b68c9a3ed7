// When an own recording is without a gap, the slow way: asked of one moment, of records as a list.

export type ModelDay = {
  /** Number of the day. */
  day: number
  /** What is known of own records of the book: the first and the last. */
  own: { first: number; last: number } | null
  /** Whether the market has own trades on the day, and whether the book has own records that are none. */
  hasTrades: boolean
  hasBook: boolean
  quotes: { first: number; last: number } | null
  goesOn: boolean
  gaps: { from: number | null; to: number | null; at: number; book: string | null; isOwn: boolean }[]
  inferred: { from: number; to: number | null }[]
}

const DAY = 24 * 60 * 60 * 1_000

/** Whether the own recording of a book's trades, or of the book itself, is without a gap at that moment. */
export function isOwnMoment(all: ModelDay[], book: string, moment: number, kind: 'trade' | 'book'): boolean {
  const days = all.filter(({ hasTrades, hasBook }) => (kind === 'trade' ? hasTrades : hasBook))
  for (const { day, gaps, inferred } of all) {
    for (const gap of gaps) {
      const isOfBook = gap.book === book || gap.book === null
      if (gap.isOwn && isOfBook && moment > (gap.from ?? gap.at) && moment < (gap.to ?? gap.at)) return false
    }
    for (const gap of inferred) if (moment > gap.from && moment < (gap.to ?? (day + 1) * DAY)) return false
  }
  return days.some((each) => {
    if (each.own === null) return false
    if (moment >= each.own.first && moment <= each.own.last) return true
    const next = days.find(({ day }) => day === each.day + 1)
    if (next === undefined || next.own === null || !next.goesOn) return false
    const isUnbroken =
      (each.quotes === null || each.quotes.last <= each.own.last) &&
      (next.quotes === null || next.quotes.first >= next.own.first)
    return isUnbroken && moment >= each.own.first && moment <= next.own.last
  })
}
