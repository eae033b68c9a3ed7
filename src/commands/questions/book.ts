// `book`: one book at an instant, as a server would answer it.

import type { BookAt } from '../../../workers/instant/book-at.ts'
import { answerInProcess } from '../../../workers/pool/answer-in-process.ts'
import { MOUNTS } from '../../http/parameters/venue-parameters.ts'
import { book } from '../../questions/book.ts'
import { addSettings } from '../settings.ts'
import { type AddCommand, addExamples } from '../terminal/program.ts'
import { table } from '../terminal/table.ts'
import { askedOf, inCommandWords } from './ask-market.ts'
import { addMarket, addParameters, questionOf, type WindowOptions } from './market-question.ts'
import { withStore } from './stored-data.ts'

type BookOptions = WindowOptions & { json?: true }

export const addBookCommand: AddCommand = (program) => {
  const command = addSettings(program.command('book'), ['data']).description(
    'print one book at an instant, like the endpoint book',
  )
  addParameters(addMarket(command), NAMES, OWN).option('--json', "the server's answer, byte for byte").action(print)
  addExamples(command, [
    'backbook book --venue kalshi --market KXDEMODAY-26JUL20-T50 --timestamp 1784548800 --depth 5',
    'backbook book --venue kalshi --market KXDEMODAY-26JUL20-T50 --date 2026-07-20 --record 500 --json',
  ])
}

/** Those of Polymarket, which has one more. */
const { required, optional, own: OWN = {} } = book.parameters(MOUNTS[0].parameters)
const NAMES = [...required, ...optional]

async function print({ json, ...options }: BookOptions): Promise<void> {
  await withStore(options, async (store) => {
    const given = questionOf(options, NAMES)
    const asked = await askedOf(store, given, book.parameters(given.parameters))
    const text = await inCommandWords(async () => {
      const plan = await book.plan(asked, await store.catalogue.cursorSecret(), store.catalogue)
      const { data } = await plan.answer(answerInProcess(store), { format: 'json' })
      return 'bytes' in data ? new Response(data.bytes as Uint8Array<ArrayBuffer>).text() : textOf(data.chunks)
    })
    process.stdout.write(json ? `${text}\n` : tableOf(JSON.parse(text) as BookAt))
  })
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += Buffer.from(chunk).toString()
  return text
}

/** The lowest ask stands over the highest bid. */
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
