// Finds gaps of one recorder that another one covers (docs/time-and-order.md): such a gap changes no book. Also
// decides whether a step back of sequence numbers lost messages, or another capture has them (docs/books.md).

import { dateOf, isVenueTime, type TimedRecord } from '../event-time.ts'

/** The records of a market in one capture, in its order. `recorder` is null if the capture is not a segment. */
export type ReceivedCapture = { recorder: string | null; records: TimedRecord[] }

/** Times of one recorder for one book and date, Unix ms: when it began to receive the book, when it continued the
 *  book from the date before, when it lost the book, and when it received changes. */
type Times = { begins: number[]; continues: number[]; gaps: number[]; changes: number[] }

/** Returns the records of a date, with covered gaps marked as `covered_gap`. `continued` are the books that the date
 *  continues. */
export function withCoveredGaps(
  captures: ReceivedCapture[],
  date: string,
  records: TimedRecord[],
  continued: string[],
): TimedRecord[] {
  const books = new Set([...continued, ...records.flatMap(({ book }) => book ?? [])])
  const isCovered = ({ book, msg: { from, to } }: TimedRecord): boolean => {
    if (typeof from !== 'number' || typeof to !== 'number') return false
    const of = book === null ? [...books] : [book]
    const end = Math.max(from, to)
    return of.length > 0 && of.every((each) => recorders(captures, date, each).some((one) => hasAll(one, from, end)))
  }
  return records.map((record) =>
    record.type === 'gap' && isCovered(record) ? { ...record, type: 'covered_gap' } : record,
  )
}

/** Returns whether several different captures have the book, and at least one of them has it without a gap from
 *  before `from` until `to`. */
export function isReceivedBySeveral(captures: ReceivedCapture[], date: string, book: string, from: number, to: number) {
  const times = recorders(captures, date, book).filter(({ changes }) => changes.length > 0)
  const different = new Set(times.map(textOf))
  return different.size > 1 && times.some((one) => hasAll(one, from, to))
}

/** Returns a text of the times that decide about gaps. Captures with the same text count as one. */
function textOf({ begins, continues, gaps, changes }: Times): string {
  const sorted = (times: number[]) => [...new Set(times)].sort((a, b) => a - b)
  return JSON.stringify([sorted(begins), Math.min(...continues), sorted(gaps), Math.max(...changes)])
}

/** Returns the recorders whose segments have a snapshot, a change or a gap of a date. */
export function recordersOf(captures: ReceivedCapture[], date: string): string[] {
  const isBookRecord = ({ type, timestamp }: TimedRecord) =>
    dateOf(timestamp) === date && (type === 'snapshot' || type === 'delta' || type === 'gap')
  return [...new Set(captures.flatMap(({ recorder, records }) => (records.some(isBookRecord) ? (recorder ?? []) : [])))]
}

/** Returns the times of each recorder. All segments of a recorder count together. Any other capture counts as a
 *  separate recorder. */
function recorders(captures: ReceivedCapture[], date: string, book: string): Times[] {
  const byName = Map.groupBy(captures, ({ recorder }, i) => recorder ?? i)
  return [...byName.values()].map((ofOne) => {
    const times = ofOne.map((capture) => timesIn(capture, date, book))
    return {
      begins: times.flatMap(({ begins }) => begins),
      continues: times.flatMap(({ continues }) => continues),
      gaps: times.flatMap(({ gaps }) => gaps),
      changes: times.flatMap(({ changes }) => changes),
    }
  })
}

function timesIn({ recorder, records }: ReceivedCapture, date: string, book: string): Times {
  const times: Times = { begins: [], continues: [], gaps: [], changes: [] }
  let state: 'new' | 'received' | 'lost' = 'new'
  let isFirstOfDate = true
  const seqs = new Map<number, number>()
  let bookSid: number | null = null
  for (const [index, record] of records.entries()) {
    const { type, timestamp, sid, seq } = record
    // The lines of an export do not show which recorder received them.
    if (record.givenMs !== undefined) continue
    const isOfDate = dateOf(timestamp) === date
    if (recorder === null && sid !== null && seq !== null) {
      const isStepBack = seq < (seqs.get(sid) ?? 0)
      if (isStepBack) seqs.clear()
      if (isStepBack || (type === 'snapshot' && bookSid !== null && sid !== bookSid)) {
        // A new connection or subscription: messages may be missing since the previous record.
        state = 'lost'
        if (isOfDate) times.gaps.push(Math.max(records[index - 1]!.timestamp, Date.parse(date)))
      }
      seqs.set(sid, seq)
      if (type === 'snapshot' || type === 'delta') bookSid = sid
    }
    if (type === 'gap' && (record.book === book || record.book === null)) {
      state = 'lost'
      // A gap of more than an hour has its end, the time of receipt, as event time. It interrupts the book at both
      // ends.
      const { from: statedFrom } = record.msg
      const from = typeof statedFrom === 'number' ? Math.min(timestamp, Math.floor(statedFrom)) : timestamp
      if (isOfDate) times.gaps.push(from, ...(isVenueTime(record) ? [] : [timestamp]))
    }
    if (record.book !== book || (type !== 'snapshot' && type !== 'delta')) continue
    if (type === 'snapshot' && state !== 'received') {
      state = 'received'
      if (isOfDate) times.begins.push(timestamp)
    } else if (isOfDate && isFirstOfDate && state !== 'lost') times.continues.push(timestamp)
    if (state === 'new') state = 'received'
    if (isOfDate) isFirstOfDate = false
    if (isOfDate && type === 'delta') times.changes.push(timestamp)
  }
  return times
}

/** Returns whether the recorder received the book without a gap from before `from` until `to`. */
function hasAll({ begins, continues, gaps, changes }: Times, from: number, to: number): boolean {
  const sound = continues.filter((begin) => gaps.every((gap) => gap > begin))
  const isCompleteFrom = (begin: number) => begin < from && !gaps.some((gap) => gap >= begin && gap <= to)
  return [...begins, ...sound].some(isCompleteFrom) && changes.some((change) => change >= to)
}
