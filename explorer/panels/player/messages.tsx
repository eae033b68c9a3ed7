// Shows the raw messages around the cursor, and the current one in full, as captured.

import { useEffect, useRef, useState } from 'preact/hooks'
import { coverage } from '../../data/answers.ts'
import { hasRaw, isOf, PAGE_RECORDS, type RawRecord, rawPage } from '../../data/replay/raw-pages.ts'
import { isPlaying } from '../../replay/player.ts'
import { factsAt, replayed, targetOf } from '../../replay/replayed.ts'
import { askAgain } from '../../state/again.ts'
import { countText } from '../../state/number-text.ts'
import { prettyJson } from '../../state/pretty-json.ts'
import { clockText } from '../../state/time-text.ts'
import type { BookId, Stretch } from '../../state/view.ts'
import { copyText } from '../../take/copy.ts'
import { SHOWN } from '../../venues.ts'
import { Failed } from '../states.tsx'
import { messageLine } from './message-line.ts'
import { wereMessagesRequested } from './messages-requested.ts'
import { RecordRow, RecordTable } from './record-table.tsx'

const ROWS = 13
/** While the clock runs, the list is updated a few times a second. */
const FOLLOW_MS = 300

type Anchor = { date: string; record: number }

type Shown = { rows: readonly RawRecord[]; current: RawRecord | undefined; date: string }
type Own = { anchor: Anchor | null; atMs: number; shown: Shown | null }

export function Messages({ book, stretch }: { book: BookId; stretch: Stretch }) {
  const held = useRef<Own>({ anchor: null, atMs: 0, shown: null })
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    if (place.current !== null && held.current.shown !== null && wereMessagesRequested())
      place.current.scrollIntoView({ block: 'nearest' })
  })
  const own = held.current
  const target = targetOf(stretch)
  if (target === null) return <p class="quiet hint">Messages are shown here once the cursor is set.</p>
  const now = performance.now()
  if (!isPlaying.value || now - own.atMs > FOLLOW_MS) {
    const anchor = anchorOf(book, stretch)
    if (anchor !== null) Object.assign(own, { anchor, atMs: now })
  }
  const { anchor } = own
  if (anchor === null) {
    const isKnown = factsAt(book, target).value !== null
    return <p class="quiet hint">{isKnown ? 'This book has no message this early.' : '…'}</p>
  }
  if (!hasRaw(book, anchor.date)) {
    const { label, rawFromDate } = SHOWN[book.venue]
    return (
      <p class="quiet hint">
        Raw messages of {label} are served from {rawFromDate} on.
      </p>
    )
  }
  const { records, failure } = around(book, anchor)
  if (failure !== null) return <Failed failure={failure} retry={askAgain} />
  const shown = shownOf(stretch.hidesFuture ? records.filter(({ record }) => record <= anchor.record) : records, anchor)
  // Show the previous messages until the new ones have loaded.
  if (shown !== null) own.shown = shown
  const { rows, current, date } = own.shown ?? { rows: [], current: undefined, date: anchor.date }
  return (
    <section class="messages" aria-label="Raw messages" aria-busy={shown === null} ref={place}>
      <RecordTable names={['record', 'time', 'kind', 'message']}>
        {rows.map((each) => (
          <MessageRow key={each.record} record={each} zone={stretch.zone} isCurrent={each === current} />
        ))}
      </RecordTable>
      {current !== undefined && <Message record={current} date={date} />}
    </section>
  )
}

/** Returns the messages around the one at the cursor; null until they have loaded. */
function shownOf(records: readonly RawRecord[], { date, record }: Anchor): Shown | null {
  const at = records.findLastIndex((each) => each.record <= record)
  if (at < 0) return null
  const first = Math.max(0, Math.min(records.length - ROWS, at - Math.floor(ROWS / 2)))
  return { rows: records.slice(first, first + ROWS), current: records[at], date }
}

function MessageRow({ record, zone, isCurrent }: { record: RawRecord; zone: string; isCurrent: boolean }) {
  return (
    <RecordRow ms={record.ms} record={record.record} isCurrent={isCurrent}>
      <td>{countText(record.record)}</td>
      <td>{clockText(record.ms, zone)}</td>
      <td>
        <span class={`kind ${record.type}`}>{record.type}</span>
      </td>
      <td class="mono">{messageLine(record.line)}</td>
    </RecordRow>
  )
}

function Message({ record, date }: { record: RawRecord; date: string }) {
  const [copied, setCopied] = useState<string | null>(null)
  const isCopied = copied === record.line
  return (
    <div class="message">
      <header>
        <h3>
          {record.type} {countText(record.record)} <span class="quiet">of {date}</span>
        </h3>
        <button
          type="button"
          onClick={async () => {
            await copyText(record.line)
            setCopied(record.line)
          }}
        >
          {isCopied ? 'Copied' : 'Copy'}
        </button>
      </header>
      <textarea
        class="mono"
        readOnly
        rows={12}
        spellcheck={false}
        aria-label="The record as JSON"
        value={prettyJson(record.line)}
      />
    </div>
  )
}

/** Returns the book's last record at or before the cursor; while the clock runs, the last one that changed a
 *  level. Returns null if there is none, or if it is not known yet. */
function anchorOf(book: BookId, stretch: Stretch): Anchor | null {
  const target = targetOf(stretch)!
  if ('record' in target) return target
  if (isPlaying.value) {
    const last = replayed(book, target).replay?.lastChanges()
    return last == null ? null : { date: last.date, record: last.record }
  }
  const { value } = factsAt(book, target)
  return value === null || value.date === null || value.record === null
    ? null
    : { date: value.date, record: value.record }
}

/** Returns the book's records in the page that contains a record. If the record is near an end of the page, adds the
 *  records of the neighbouring page. */
function around(book: BookId, { date, record }: Anchor) {
  const index = Math.floor(record / PAGE_RECORDS)
  const count = coverage(book).value?.dates.find((each) => each.date === date)?.record_count ?? 0
  const place = record % PAGE_RECORDS
  const wanted = [index]
  if (place < 4 * ROWS && index > 0) wanted.unshift(index - 1)
  if (place > PAGE_RECORDS - 4 * ROWS && (index + 1) * PAGE_RECORDS < count) wanted.push(index + 1)
  const pages = wanted.map((each) => rawPage(book, date, each))
  if (pages[wanted.indexOf(index)]!.value === null)
    return { records: [], failure: pages[wanted.indexOf(index)]!.failure }
  const failure = pages.find((each) => each.failure !== null)?.failure ?? null
  const records = pages.flatMap(({ value }) => value?.records ?? []).filter((each) => isOf(book, each))
  return { records, failure }
}
