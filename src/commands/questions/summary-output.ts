// A summary written in the format that a command was asked for.

import type { Store } from '../../../storage/open-store.ts'
import { tableOfSummary } from '../../../workers/summary/table-of-summary.ts'
import { encodeTable } from '../../../workers/table/encode-table.ts'
import { numberOf, type Table } from '../../../workers/table/table.ts'
import { tableText } from '../../../workers/table/table-text.ts'
import { orderbookSummary, planSummary, summarySubject } from '../../questions/orderbook-summary.ts'
import type { Output } from '../terminal/output.ts'
import { askedOf, inCommandWords } from './ask-market.ts'
import type { Question } from './market-question.ts'

export type SummaryFormat = 'table' | 'csv' | 'json' | 'parquet'

/** All reading is done; `write` resolves to the number of buckets. */
export type Summary = { write(format: SummaryFormat, output: Output): Promise<number> }

/** Rejects with CommandError. */
export async function askSummary(store: Store, question: Question): Promise<Summary> {
  const asked = await askedOf(store, question, orderbookSummary.parameters(question.parameters))
  return inCommandWords(async () => {
    const { request, window } = planSummary(asked)
    const { head, table } = await tableOfSummary(store, request)
    const envelope = { ...summarySubject(asked.parameters, request, window), data_points: head.dataPoints }
    return {
      async write(format, output) {
        for await (const piece of pieces(table, envelope, format)) await output.write(piece)
        return head.dataPoints
      },
    }
  })
}

async function* pieces(
  table: Table,
  envelope: Record<string, unknown>,
  format: SummaryFormat,
): AsyncGenerator<Uint8Array | string> {
  if (format === 'csv') yield* tableText(table, 'csv')
  else if (format === 'table') yield* terminalRows(table)
  else if (format === 'json') {
    yield `${JSON.stringify(envelope).slice(0, -1)},"data":`
    yield* tableText(table, 'json')
    yield '}'
  } else {
    const chunks = await encodeTable(table, { format, metadata: envelope })
    for (let next = chunks.next(); !next.done; next = chunks.next()) yield next.value
  }
}

const TERMINAL_COLUMNS: [column: string, head: string, width: number][] = [
  ['quote_count', 'QUOTES', 7],
  ['best_bid', 'BID', 9],
  ['best_bid_size', 'SIZE', 13],
  ['best_ask', 'ASK', 9],
  ['best_ask_size', 'SIZE', 13],
  ['mid_price', 'MID', 10],
  ['spread', 'SPREAD', 9],
]
const TIME_WIDTH = 'YYYY-MM-DD HH:MM:SS'.length
const line = (cells: string[]) => `${cells.join(' ')}\n`

/** Of fixed widths, so that rows can be printed as they come. */
function* terminalRows({ columns, chunks }: Table): Generator<string> {
  yield line(['TIME (UTC)'.padEnd(TIME_WIDTH), ...TERMINAL_COLUMNS.map(([, head, width]) => head.padStart(width))])
  const indexes = TERMINAL_COLUMNS.map(([column]) => columns.findIndex(({ name }) => name === column))
  for (let next = chunks.next(); !next.done; next = chunks.next()) {
    const { rowCount, timestampsMs, entries } = next.value
    const values = indexes.map((index) => next.value.values(index))
    let text = ''
    for (let row = 0; row < rowCount; row++) {
      const time = new Date(timestampsMs[row]!).toISOString().slice(0, TIME_WIDTH).replace('T', ' ')
      const cells = indexes.map((index, i) => {
        const value = numberOf(columns[index]!, values[i]![entries[row]!]!)
        return String(value ?? '-').padStart(TERMINAL_COLUMNS[i]![2])
      })
      text += line([time, ...cells])
    }
    yield text
  }
}
