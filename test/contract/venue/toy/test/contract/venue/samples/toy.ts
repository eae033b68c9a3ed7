// The made-up venue: its twelve forms of messages. Every message about a book is a whole book.

import { NOON, type Sample, sentMs } from './sample.ts'

const market = 'Tide-17x'

const message = (type: string, values: object) => JSON.stringify({ type, contract: market, ...values })
const book = (time: object, buys: object, sells: object) => message('book', { ...time, buys, sells })
const [BUYS, SELLS] = [[['0.41', '10']], [['0.45', '5.5']]]
const inSeconds = (index: number) => ({ at: sentMs(index) / 1_000 })

export const TOY: Sample = {
  market,
  spellings: [],
  invalid: 'tide-17x',
  book: market,
  messages: [
    { kind: 'snapshot', timeMs: NOON, text: book({ time: NOON }, BUYS, SELLS) },
    { kind: 'snapshot', timeMs: sentMs(1), text: book({ time: sentMs(1) }, BUYS, []) },
    { kind: 'snapshot', timeMs: sentMs(2), text: book({ time: sentMs(2) }, [], SELLS) },
    { kind: 'snapshot', timeMs: sentMs(3), text: book({ time: sentMs(3) }, [], []) },
    { kind: 'snapshot', timeMs: sentMs(4), text: book({ time: sentMs(4), why: 'resync' }, BUYS, SELLS) },
    { kind: 'snapshot', timeMs: sentMs(5), text: book(inSeconds(5), BUYS, SELLS) },
    { kind: 'snapshot', timeMs: sentMs(6), text: book({ at: new Date(sentMs(6)).toISOString() }, BUYS, SELLS) },
    { kind: 'snapshot', timeMs: sentMs(7), text: book({}, BUYS, SELLS) },
    {
      kind: 'trade',
      timeMs: sentMs(8),
      text: message('deal', { time: sentMs(8), price: '0.44', amount: '3', taker: 'bid', id: 'd-1' }),
    },
    {
      kind: 'trade',
      timeMs: sentMs(9),
      text: message('deal', { time: sentMs(9), price: '0.44', amount: '1', id: 'd-2' }),
    },
    { kind: 'other', timeMs: sentMs(10), text: message('status', { time: sentMs(10), open: true }) },
    {
      kind: 'snapshot',
      timeMs: sentMs(11),
      text: book({ time: sentMs(11) }, [{ p: '0.4', q: '7' }], [{ p: '0.46', q: '2.5' }]),
    },
  ],
  skipped: ['{"type":"hello","version":1}'],
  bids: [[0.4, 7]],
  asks: [[0.46, 2.5]],
  document: { contract: market, asks_whether: 'Will the contract hold?', group: 'tides', step: 0.01 },
  word: 'contract',
  event: 'tides',
  section: { contracts: [market] },
  answer: (command) => (JSON.parse(command).watch === undefined ? null : ['{"type":"hello","version":1}']),
}
