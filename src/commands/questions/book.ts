// `book`: one book at an instant, or the books of many markets, as a server would answer.

import type { BookAt } from '../../../workers/instant/book-at.ts'
import { answerInProcess } from '../../../workers/pool/answer-in-process.ts'
import { escapeControls } from '../../observe/log/escape-controls.ts'
import { book } from '../../questions/book.ts'
import { ofMany } from '../../questions/many/many-books.ts'
import { declaredBy, storeOfQuery } from '../../questions/query-source.ts'
import { addSettings } from '../settings.ts'
import { type AddCommand, addExamples } from '../terminal/program.ts'
import { table } from '../terminal/table.ts'
import { terminal } from '../terminal/terminal.ts'
import { inCommandWords, inFlags, parseQuery } from './ask-market.ts'
import { addBooks, type BooksOptions, isAboutMany, questionOfMany } from './books-question.ts'
import { addParameters, questionOf } from './market-question.ts'
import { parametersOf } from './row-command.ts'
import { reportNothingStored, withStore } from './stored-data.ts'

type BookOptions = BooksOptions & { json?: true }

export const addBookCommand: AddCommand = (program) => {
  const command = addSettings(program.command('book'), ['data']).description(
    'print one book at an instant, or the books of many markets, like the endpoint book',
  )
  addParameters(addBooks(command), NAMES, OWN).option('--json', "the server's answer, byte for byte").action(print)
  addExamples(command, [
    'backbook book --venue kalshi --market KXDEMODAY-26JUL20-T50 --timestamp 1784548800 --depth 5',
    'backbook book --venue kalshi --market KXDEMODAY-26JUL20-T50 --date 2026-07-20 --record 500 --json',
    'backbook book --venue kalshi --event KXDEMODAY-26JUL20 --timestamp 1784548800 --depth 1',
  ])
}

const { names: NAMES, own: OWN } = parametersOf(book)

async function print({ json, ...options }: BookOptions): Promise<void> {
  const isOfMany = isAboutMany(options)
  const question = isOfMany ? ofMany(book) : book
  await withStore(options, async (opened) => {
    const given = isOfMany ? questionOfMany(options, NAMES) : questionOf(options, NAMES)
    const store = storeOfQuery(opened, given.query)
    const request = await parseQuery(store, given, declaredBy(question, given.parameters))
    const text = await inCommandWords(async () => {
      const plan = await question.plan(request, await store.catalogue.cursorSecret(), store.catalogue)
      const { data } = await plan.answer(answerInProcess(store), { format: 'json' })
      return 'bytes' in data ? new Response(data.bytes as Uint8Array<ArrayBuffer>).text() : textOf(data.chunks)
    })
    const answer = JSON.parse(text) as BookAt | { markets: BookOfMany[] }
    const tables = 'markets' in answer ? answer.markets.map(titledTable) : [tableOf(answer)]
    terminal().stdout.write(json ? `${text}\n` : tables.join('\n'))
    const books = 'markets' in answer ? answer.markets : [answer]
    if (books.every((each) => 'error' in each || each.trust === 'unknown')) reportNothingStored('book', given, false)
  })
}

type Ids = { market_ticker?: string; market_condition_id?: string; asset_id?: string | null }
type BookOfMany = Ids & (BookAt | { error: { detail: string } })

/** Prints a book under its name, like the tables of rows. */
function titledTable({ market_ticker: ticker, market_condition_id: id, asset_id: asset, ...book }: BookOfMany): string {
  const title = [ticker ?? id, asset].filter(Boolean).join(' ')
  return `${title}\n${'error' in book ? `${escapeControls(inFlags(book.error.detail))}\n` : tableOf(book)}`
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += Buffer.from(chunk).toString()
  return text
}

/** Prints the asks above the bids, best prices in the middle. */
function tableOf({ timestamp, as_of: asOf, trust, bids, asks, last_trade: trade, verified }: BookAt): string {
  const time = (ms: number) => new Date(ms).toISOString()
  const since = asOf === null ? '' : `, last record ${time(asOf)}`
  const last = trade === null ? '' : `, last trade ${trade.size} at ${trade.price}`
  const hash = verified === null ? '' : `, hash ${verified ? 'agrees' : 'disagrees'}`
  const rows = [
    ...asks.toReversed().map(([price, size]) => ['ask', price, size]),
    ...bids.map(([price, size]) => ['bid', price, size]),
  ]
  return `${time(timestamp)} ${trust}${since}${last}${hash}\n${table(['SIDE', 'PRICE', 'SIZE'], rows)}`
}
