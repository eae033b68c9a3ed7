// Lists the files of the visible days: all records, seconds and trades. The server creates them on the first request.

import { useState } from 'preact/hooks'
import type { FilesOfDate } from '../../src/client/backbook.d.ts'
import { askJson, type Failure } from '../data/ask.ts'
import { marketQuery } from '../data/book-query.ts'
import { Heads } from '../panels/heads.tsx'
import { Failed } from '../panels/states.tsx'
import { bytesText, countText } from '../state/number-text.ts'
import { DAY_MS, type Span } from '../state/shown.ts'
import type { BookId } from '../state/view.ts'
import { wholeDays } from './requests.ts'
import { save } from './save.ts'

const WHAT: Record<string, string> = {
  'records.ndjson.zst': 'every record, as the venue sent it',
  'candles-1s.parquet': 'each second with a quote',
  'trades.parquet': 'every trade',
}
const DAYS_MAX = 7

type Line = { date: string; name: string; rows: number; bytes: number; path: string }

export function DayFiles({ book, span }: { book: BookId; span: Span }) {
  const [lines, setLines] = useState<Line[] | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const load = () => {
    setFailure(null)
    Promise.all(datesOf(span).map((date) => linesOf(book, date))).then((all) => setLines(all.flat()), setFailure)
  }
  return (
    <details
      class="day-files"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open && lines === null) load()
      }}
    >
      <summary>Files of the whole day</summary>
      {failure !== null && <Failed failure={failure} retry={load} />}
      {lines === null && failure === null && (
        <p class="quiet" aria-busy="true">
          …
        </p>
      )}
      {lines?.length === 0 && <p class="quiet">Nothing is stored of this day.</p>}
      {lines !== null && lines.length > 0 && <Table {...{ book, lines }} fail={setFailure} />}
    </details>
  )
}

function Table({ book, lines, fail }: { book: BookId; lines: readonly Line[]; fail: (failure: Failure) => void }) {
  return (
    <table class="list">
      <Heads names={['day', 'file', 'rows', 'size']} numbers={['rows', 'size']}>
        <th scope="col">
          <span class="unseen">download</span>
        </th>
      </Heads>
      <tbody>
        {lines.map(({ date, name, rows, bytes, path }) => (
          <tr key={path}>
            <td>{date}</td>
            <td>
              <span class="mono">{name}</span> <span class="quiet">{WHAT[name]}</span>
            </td>
            <td class="number">{countText(rows)}</td>
            <td class="number">{bytesText(bytes)}</td>
            <td class="number">
              <button
                type="button"
                aria-label={`Download ${name} of ${date}`}
                onClick={() => void save(path, `backbook_${book.venue}_${date}_${name}`).catch(fail)}
              >
                ⤓
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

async function linesOf(book: BookId, date: string): Promise<Line[]> {
  const { data } = await askJson<FilesOfDate>(`/${book.venue}/files`, { date, ...marketQuery(book) })
  return data.flatMap(({ market, files }) =>
    files.map(({ name, rows, bytes }) => ({
      ...{ date, name, rows, bytes },
      path: `/api/v1/${book.venue}/files/${date}/${encodeURIComponent(market)}/${name}`,
    })),
  )
}

function datesOf(span: Span): string[] {
  const { fromMs, toMs } = wholeDays(span)
  const count = Math.min(DAYS_MAX, Math.round((toMs - fromMs) / DAY_MS))
  return Array.from({ length: count }, (_, i) => new Date(fromMs + i * DAY_MS).toISOString().slice(0, 10))
}
