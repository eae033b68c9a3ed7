// The rows of a question, asked in this process and written in the format that a command was asked for.

import type { Store } from '../../../storage/open-store.ts'
import { utcDate } from '../../../storage/units.ts'
import { answerInProcess } from '../../../workers/pool/answer-in-process.ts'
import type { Workers } from '../../../workers/requests.ts'
import type { TableFormat } from '../../../workers/table/encode-table.ts'
import type { InFormat, TableTask } from '../../../workers/tasks/table-task.ts'
import { jsonEnvelope } from '../../http/answers/json-envelope.ts'
import { declaredBy, storeAsked } from '../../questions/asked-source.ts'
import type { RecordsPlan, RecordsQuestion } from '../../questions/question.ts'
import type { Output } from '../terminal/output.ts'
import { askedOf, inCommandWords, inFlags } from './ask-market.ts'
import type { Question } from './market-question.ts'
import { type TerminalColumn, terminalRows } from './terminal-rows.ts'

export type RowFormat = TableFormat | 'table'

/** All reading is done; `write` resolves to the number of rows, null where nobody counts them. `next` is the flag that
 *  gives those that follow, if any do; `missing` has a sentence of each book that nothing is stored of;
 *  `stored` says whether anything is stored of that time. */
export type Rows = {
  write(output: Output): Promise<number | null>
  next: string | null
  missing: readonly string[]
  stored(): Promise<boolean>
}

type RowsWanted = { format: RowFormat; terminal?: readonly TerminalColumn[] }

/** The answer of an endpoint, by its own plan and task. Rejects with CommandError. */
export async function askRows(
  opened: Store,
  question: RecordsQuestion<string>,
  given: Question,
  { format, terminal }: RowsWanted,
): Promise<Rows> {
  const store = storeAsked(opened, given.query)
  const asked = await askedOf(store, given, declaredBy(question, given.parameters))
  return inCommandWords(async () => {
    const plan = await question.plan(asked, await store.catalogue.cursorSecret(), store.catalogue)
    const isTable = format === 'table'
    const workers = isTable ? printing(store, terminal) : answerInProcess(store)
    // Tables of many are put one after the other, as their lines in CSV are.
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

/** Changes go on with a record. */
function nextOf({ next_cursor: cursor, has_more: hasMore, record, limit }: Envelope): string | null {
  if (typeof cursor === 'string') return `--cursor ${cursor}`
  return cursor === undefined && hasMore === true ? `--record ${Number(record) + Number(limit)}` : null
}

/** A map in which no column is known is empty. */
function countOf({ data_points: points, data_count: count, known }: Envelope): number | null {
  if (typeof points === 'number' || typeof count === 'number') return Number(points ?? count)
  return Array.isArray(known) && known.length === 0 ? 0 : null
}

/** Answers with lines for a terminal. */
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
