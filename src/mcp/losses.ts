// Describes the losses within the time range of an answer's rows. The rows alone do not show these losses.

type Gap = {
  from: number | null
  to: number | null
  timestamp?: number
  reason: string
  asset_id?: string | null
  book?: string
}
export type Losses = { dates?: { gaps: Gap[]; inferred_gaps: Gap[] }[] }

const SHOWN = 10

/** Returns a sentence about the gaps of a book within the time of the rows; an empty text if there are no gaps. `lines`
 *  are the rows as CSV, after a line with the column names. `book` is null on Kalshi. */
export function lossesIn(
  { dates = [] }: Losses,
  { lines, bucketMs, book }: { lines: readonly string[]; bucketMs: number; book: string | null },
): string {
  const times = lines.slice(1).map((line) => Number(line.slice(0, line.indexOf(','))))
  const [from, to] = [times[0], (times.at(-1) ?? 0) + bucketMs]
  if (from === undefined) return ''
  const isIn = (gap: Gap) => {
    const of = gap.asset_id ?? gap.book ?? null
    if (book !== null && of !== null && of !== book) return false
    return (gap.from ?? gap.timestamp ?? 0) < to && (gap.to ?? Number.POSITIVE_INFINITY) > from
  }
  const gapTexts = (word: string, gaps: Gap[]) => {
    if (gaps.length === 0) return []
    const shown = gaps
      .slice(0, SHOWN)
      .map((gap) => `${gap.reason} ${timeOf(gap.from ?? gap.timestamp)} to ${timeOf(gap.to)}`)
    return [`${word}: ${gaps.length} (${shown.join('; ')}${gaps.length > SHOWN ? '; …' : ''}).`]
  }
  const all = (pick: (date: { gaps: Gap[]; inferred_gaps: Gap[] }) => Gap[]) => dates.flatMap(pick).filter(isIn)
  return [
    ...gapTexts(
      'Recorded gaps in this time',
      all(({ gaps }) => gaps),
    ),
    ...gapTexts(
      'Inferred gaps, in which prices and sizes are doubtful',
      all(({ inferred_gaps }) => inferred_gaps),
    ),
  ].join(' ')
}

const timeOf = (ms: number | null | undefined) => (ms == null ? 'unknown' : new Date(ms).toISOString())
