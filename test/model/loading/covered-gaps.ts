// Finds gaps of one recorder that another one covers (docs/time-and-order.md): such gaps end no book. Also finds
// sequence numbers that step back while another capture continues (docs/books.md): nothing is lost there.

import { dateOf, isVenueTime, type TimedRecord } from '../event-time.ts'

/** The records of a market in one capture, in its order. `recorder` is null if the capture is not a segment. */
export type HeardCapture = { recorder: string | null; records: TimedRecord[] }

/** Times at which one recorder began to receive a book on a date, continued from the date before, lost the book, and
 *  received its changes; Unix ms. */
type Heard = { begins: number[]; goesOn: number[]; gaps: number[]; changes: number[] }

/** Returns the records of a date, with covered gaps marked as `covered_gap`. `continued` are the books that the date
 *  continues. */
export function withCoveredGaps(
  captures: HeardCapture[],
  date: string,
  records: TimedRecord[],
  continued: string[],
): TimedRecord[] {
  const books = new Set([...continued, ...records.flatMap(({ book }) => book ?? [])])
  const isCovered = ({ book, msg: { from, to } }: TimedRecord): boolean => {
    if (typeof from !== 'number' || typeof to !== 'number') return false
    const of = book === null ? [...books] : [book]
    const end = Math.max(from, to)
    return of.length > 0 && of.every((each) => recorders(captures, date, each).some((one) => hears(one, from, end)))
  }
  return records.map((record) =>
    record.type === 'gap' && isCovered(record) ? { ...record, type: 'covered_gap' } : record,
  )
}

/** Returns whether there are several different captures of the book and one has all of it from before `from` until
 *  `to`. */
export function isHeardBySeveral(captures: HeardCapture[], date: string, book: string, from: number, to: number) {
  const heard = recorders(captures, date, book).filter(({ changes }) => changes.length > 0)
  const different = new Set(heard.map(textOf))
  return different.size > 1 && heard.some((one) => hears(one, from, to))
}

/** Returns the times that decide about gaps as a text. Captures with the same text count as one. */
function textOf({ begins, goesOn, gaps, changes }: Heard): string {
  const sorted = (times: number[]) => [...new Set(times)].sort((a, b) => a - b)
  return JSON.stringify([sorted(begins), Math.min(...goesOn), sorted(gaps), Math.max(...changes)])
}

/** Returns the recorders whose segments have a snapshot, a change or a gap of a date. */
export function recordersOf(captures: HeardCapture[], date: string): string[] {
  const isBookRecord = ({ type, timestamp }: TimedRecord) =>
    dateOf(timestamp) === date && (type === 'snapshot' || type === 'delta' || type === 'gap')
  return [...new Set(captures.flatMap(({ recorder, records }) => (records.some(isBookRecord) ? (recorder ?? []) : [])))]
}

/** Returns the times of each recorder. A recorder's segments count as one; any other capture is a recorder of its
 *  own. */
function recorders(captures: HeardCapture[], date: string, book: string): Heard[] {
  const byName = Map.groupBy(captures, ({ recorder }, i) => recorder ?? i)
  return [...byName.values()].map((ofOne) => {
    const heard = ofOne.map((capture) => heardIn(capture, date, book))
    return {
      begins: heard.flatMap(({ begins }) => begins),
      goesOn: heard.flatMap(({ goesOn }) => goesOn),
      gaps: heard.flatMap(({ gaps }) => gaps),
      changes: heard.flatMap(({ changes }) => changes),
    }
  })
}

function heardIn({ recorder, records }: HeardCapture, date: string, book: string): Heard {
  const heard: Heard = { begins: [], goesOn: [], gaps: [], changes: [] }
  let state: 'new' | 'heard' | 'lost' = 'new'
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
        if (isOfDate) heard.gaps.push(Math.max(records[index - 1]!.timestamp, Date.parse(date)))
      }
      seqs.set(sid, seq)
      if (type === 'snapshot' || type === 'delta') bookSid = sid
    }
    if (type === 'gap' && (record.book === book || record.book === null)) {
      state = 'lost'
      // A gap of more than an hour has its end, the time of receipt, as event time. It interrupts the book at both
      // ends.
      const { from: said } = record.msg
      const from = typeof said === 'number' ? Math.min(timestamp, Math.floor(said)) : timestamp
      if (isOfDate) heard.gaps.push(from, ...(isVenueTime(record) ? [] : [timestamp]))
    }
    if (record.book !== book || (type !== 'snapshot' && type !== 'delta')) continue
    if (type === 'snapshot' && state !== 'heard') {
      state = 'heard'
      if (isOfDate) heard.begins.push(timestamp)
    } else if (isOfDate && isFirstOfDate && state !== 'lost') heard.goesOn.push(timestamp)
    if (state === 'new') state = 'heard'
    if (isOfDate) isFirstOfDate = false
    if (isOfDate && type === 'delta') heard.changes.push(timestamp)
  }
  return heard
}

/** Returns whether the recorder received all of the book from before `from` until `to`. */
function hears({ begins, goesOn, gaps, changes }: Heard, from: number, to: number): boolean {
  const sound = goesOn.filter((begin) => gaps.every((gap) => gap > begin))
  const isHeardFrom = (begin: number) => begin < from && !gaps.some((gap) => gap >= begin && gap <= to)
  return [...begins, ...sound].some(isHeardFrom) && changes.some((change) => change >= to)
}
