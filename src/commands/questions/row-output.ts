// Answers a question about rows in this process, in the requested format.

import type { Store } from '../../../storage/open-store.ts'
import { utcDate } from '../../../storage/units.ts'
import { answerInProcess } from '../../../workers/pool/answer-in-process.ts'
import type { Workers } from '../../../workers/requests.ts'
import type { TableFormat } from '../../../workers/table/encode-table.ts'
import type { InFormat, TableTask } from '../../../workers/tasks/table-task.ts'
import { jsonEnvelope } from '../../http/answers/json-envelope.ts'
import { declaredBy, storeOfQuery } from '../../questions/query-source.ts'
import type { RecordsPlan, RecordsQuestion } from '../../questions/question.ts'
import type { Output } from '../terminal/output.ts'
import { inCommandWords, inFlags, parseQuery } from './ask-market.ts'
import type { Question } from './market-question.ts'
import { type TerminalColumn, terminalRows } from './terminal-rows.ts'

export type RowFormat = TableFormat | 'table'

/** An answer that is ready to be written. `write` resolves to the number of rows, null if unknown. `next` is the flag
 *  for the rows that follow, null if there are none. `missing` has one sentence per book that is not stored. `stored`
 *  resolves to whether anything is stored in the requested time. */
export type Rows = {
  write(output: Output): Promise<number | null>
  next: string | null
  missing: readonly string[]
  stored(): Promise<boolean>
}

type RowsWanted = { format: RowFormat; terminal?: readonly TerminalColumn[] }

/** Answers a question with the endpoint's own plan and task. Rejects with CommandError. */
export async function askRows(
  opened: Store,
  question: RecordsQuestion<string>,
  given: Question,
  { format, terminal }: RowsWanted,
): Promise<Rows> {
  const store = storeOfQuery(opened, given.query)
  const request = await parseQuery(store, given, declaredBy(question, given.parameters))
  return inCommandWords(async () => {
    const plan = await question.plan(request, await store.catalogue.cursorSecret(), store.catalogue)
    const isTable = format === 'table'
    const workers = isTable ? printing(store, terminal) : answerInProcess(store)
    // Request CSV for tables: the tables of many books are concatenated, as their CSV lines are.
    const { envelope, data, rowCount } = await plan.answer(workers, { format: isTable ? 'csv' : format })
    const body = format === 'json' && envelope !== null ? jsonEnvelope(envelope, data) : data
    return {
      next: nextOf(envelope ?? {}),
      stored: () => isStored(store, given, plan),
      missing: (plan.missing ?? []).map(({ failure }) => inFlags(failure.detail)),
      async write(output) {
        if ('bytes' in body) await output.write(body.bytes)
        else if ('pieces' in body) for (const piece of body.pieces) await output.write(piece)
        else
          for (let taken = await body.chunks.next(); !taken.done; taken = await body.chunks.next())
            await output.write(taken.value)
        return rowCount?.() ?? countOf(envelope ?? {})
      },
    }
  })
}

async function isStored({ catalogue }: Store, { parameters }: Question, { market, fromMs, toMs }: RecordsPlan) {
  const dates = { from: utcDate(fromMs), to: utcDate(toMs) }
  const heads = await Promise.all([market].flat().map((each) => catalogue.heads(parameters.venue, each, dates)))
  return heads.some((days) => days.length > 0)
}

type Envelope = Readonly<Record<string, unknown>>

/** Returns the flag for the rows that follow; null if there are none. Changes continue with a record number instead of
 *  a cursor. */
function nextOf({ next_cursor: cursor, has_more: hasMore, record, limit }: Envelope): string | null {
  if (typeof cursor === 'string') return `--cursor ${cursor}`
  return cursor === undefined && hasMore === true ? `--record ${Number(record) + Number(limit)}` : null
}

/** Returns the number of rows; null if unknown. A depth map without a known column has no rows. */
function countOf({ data_points: points, data_count: count, known }: Envelope): number | null {
  if (typeof points === 'number' || typeof count === 'number') return Number(points ?? count)
  return Array.isArray(known) && known.length === 0 ? 0 : null
}

/** Runs tasks, and returns their tables as lines for a terminal. */
const printing = (store: Store, terminal: readonly TerminalColumn[] | undefined): Pick<Workers, 'ask'> => ({
  async ask(task, request) {
    store.refresh()
    const { head, table } = await (task as unknown as TableTask<typeof request, never>).table(store, request)
    const { encoding } = request as InFormat<object>
    const title = encoding?.part === undefined ? '' : `\n${table.constants.map(({ text }) => text).join(' ')}\n`
    return { ...(head as object), data: { chunks: encoded(title, terminalRows(table, terminal)) } } as never
  },
})

async function* encoded(title: string, texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  if (title !== '') yield Buffer.from(title)
  for (const text of texts) yield Buffer.from(text)
}
