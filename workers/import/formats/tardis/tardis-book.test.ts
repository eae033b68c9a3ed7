// Goal: Tardis' files of Polymarket become messages of the venue that give the same books at every moment, with their
// times. An invalid row is reported, and stored in the reject file.

import { expect, test } from 'bun:test'
import { booksOf, levelsOf, messagesOf, type TardisMessage } from '../../../../test/model/import/tardis.ts'
import { CONDITION } from '../../../../test/model/lines.ts'
import { checkFile, importText } from '../../../../test/support/import/import-text.ts'
import { seeded } from '../../../../test/support/import/seeded.ts'
import { type StoredRecord, type TestStore, withStore } from '../../../../test/support/store.ts'
import { tardisBook } from './tardis-book.ts'
import { tardisTrades } from './tardis-trades.ts'

const DAY = '2026-09-10'
const START_US = Date.parse(`${DAY}T00:00:00Z`) * 1_000
const TOKENS = ['34594325533642117507642159322716', '11111111111111111111111111111112']
const BOOK_HEAD = 'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount'
const TRADE_HEAD = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount'
const file = (head: string, ...rows: string[]) => [head, ...rows, ''].join('\n')
const named = { markets: [CONDITION] }

const recordsOf = (store: TestStore) => store.records('polymarket', CONDITION, DAY)

type Printed = {
  asset_id?: string
  timestamp: string
  bids?: { price: string; size: string }[]
  asks?: { price: string; size: string }[]
  price_changes?: { asset_id: string; side: string; price: string; size: string }[]
}

function asModel({ type, received_at, msg }: StoredRecord): TardisMessage {
  const { asset_id, timestamp, bids = [], asks = [], price_changes: changes = [] } = msg as Printed
  const levels = [
    ...bids.map(({ price, size }) => `bid ${price} ${size}`),
    ...asks.map(({ price, size }) => `ask ${price} ${size}`),
    ...changes.map(({ side, price, size }) => `${side === 'BUY' ? 'bid' : 'ask'} ${price} ${size}`),
  ]
  return { type, asset_id: asset_id ?? changes[0]!.asset_id, timestamp, received_at: received_at!, levels }
}

/** Returns the books after the last message of each receipt. */
function replayed(messages: TardisMessage[]) {
  const books: Record<string, Record<string, string>> = {}
  return messages.map(({ type, asset_id, levels, received_at }) => {
    if (type === 'snapshot') books[asset_id] = {}
    for (const level of levels) {
      const [side, price, amount] = level.split(' ')
      books[asset_id] = { ...books[asset_id], [`${side} ${price}`]: amount! }
    }
    const now = Object.entries(books).map(([token, book]) => [token, levelsOf(book)])
    return { received_at, books: Object.fromEntries(now) as Record<string, string[]> }
  })
}

function madeBook(seed: number): string {
  const next = seeded(seed)
  const rows: string[] = []
  let us = START_US + 5_000_000
  const row = (token: string, snapshot: boolean, side: string, cents: number, amount: string) =>
    rows.push(`polymarket,${token},${us - 40_000},${us + 123},${snapshot},${side},${cents / 100},${amount}`)
  for (let message = 0; message < 120; message++) {
    us += (1 + next(3_000)) * 1_000
    const token = TOKENS[next(2)]!
    if (message < 2 || next(20) === 0) {
      const of = message < 2 ? TOKENS[message]! : token
      for (let cents = 1 + next(30); cents < 50; cents += 1 + next(9)) row(of, true, 'bid', cents, `${1 + next(500)}`)
      for (let cents = 51 + next(30); cents < 99; cents += 1 + next(9)) row(of, true, 'ask', cents, `${next(900)}.25`)
      row(of, true, 'ask', 99, '7.5')
      continue
    }
    for (let entries = 1 + next(4); entries > 0; entries--) {
      const isBid = next(2) === 0
      row(
        token,
        false,
        isBid ? 'bid' : 'ask',
        isBid ? 1 + next(50) : 50 + next(50),
        next(4) === 0 ? '0' : `${next(99)}.1`,
      )
    }
  }
  return file(BOOK_HEAD, ...rows)
}

test.each([1, 2, 3, 4, 5])('a made book file is the messages and the books that the model reads (seed %i)', (seed) =>
  withStore(async (store) => {
    const text = madeBook(seed)
    const expected = messagesOf(text)
    const rowCount = text.split('\n').length - 2
    const report = await importText(store, tardisBook, 'book.csv.gz', text, named)
    expect(report).toMatchObject({ rows: rowCount, messages: expected.length, rejected: 0, places: [null] })
    const stored = (await recordsOf(store)).map(asModel)
    expect(stored).toEqual(expected)
    const books = new Map(replayed(stored).map((now) => [now.received_at, now.books]))
    for (const now of booksOf(text)) expect(books.get(Math.floor(Number(now.local) / 1_000))).toEqual(now.books)
    const again = await importText(store, tardisBook, 'book.csv', text, named)
    expect(again).toMatchObject({ messages: expected.length, recordsAdded: 0 })
  }),
)

test('a snapshot has the order of the venue, and drops levels of size 0', () =>
  withStore(async (store) => {
    const [us, local] = [START_US + 1_000, START_US + 51_234]
    const rows = ['bid,0.48,5', 'ask,.53,1.25', 'bid,0.5,0', 'ask,0.52,100.50', 'bid,0.1,7', 'bid,0.49,8']
    const text = file(BOOK_HEAD, ...rows.map((row) => `polymarket,${TOKENS[0]},${us},${local},true,${row}`))
    await importText(store, tardisBook, 'book.csv', text, named)
    const [record] = await recordsOf(store)
    expect(record).toMatchObject({ type: 'snapshot', timestamp: us / 1_000, received_at: Math.floor(local / 1_000) })
    expect(record!.msg).toEqual({
      market: CONDITION,
      asset_id: TOKENS[0],
      timestamp: String(us / 1_000),
      bids: [
        { price: '0.1', size: '7' },
        { price: '0.48', size: '5' },
        { price: '0.49', size: '8' },
      ],
      asks: [
        { price: '.53', size: '1.25' },
        { price: '0.52', size: '100.50' },
      ],
      event_type: 'book',
    })
  }))

test('microseconds of the venue are stored, and rows of two snapshots stay distinct', () =>
  withStore(async (store) => {
    const us = START_US + 1_120
    const row = (what: string) => `polymarket,${TOKENS[0]},${us},${us},${what}`
    const text = file(BOOK_HEAD, row('true,bid,0.4,1'), row('true,bid,0.4,1'), row('true,ask,0.5,2'))
    await importText(store, tardisBook, 'book.csv', text, named)
    const records = await recordsOf(store)
    expect(records.map(asModel).map(({ timestamp, levels }) => [timestamp, levels])).toEqual([
      [`${START_US / 1_000 + 1}.12`, ['bid 0.4 1']],
      [`${START_US / 1_000 + 1}.12`, ['bid 0.4 1', 'ask 0.5 2']],
    ])
  }))

test('invalid rows are rejected with their reasons, the others are loaded', () =>
  withStore(async (store) => {
    const times = `${START_US},${START_US}`
    const good = `polymarket,${TOKENS[0]},${times},false,bid,0.4,1`
    const wrong = [
      [`polymarket,${TOKENS[0]},${times},maybe,bid,0.4,1`, 'is_snapshot is neither true nor false'],
      [`polymarket,${TOKENS[0]},${times},false,buy,0.4,1`, 'side is neither bid nor ask'],
      [`polymarket,${TOKENS[0]},${times},false,bid,1.4,1`, 'price must be a decimal between 0 and 1'],
      [`polymarket,${TOKENS[0]},${times},false,bid,4e-1,1`, 'price must be a decimal between 0 and 1'],
      [`polymarket,${TOKENS[0]},${times},false,bid,0.4,`, 'amount must be a decimal'],
      [`polymarket,${TOKENS[0]},${START_US / 1_000},${START_US},false,bid,0.4,1`, 'the row does not match its columns'],
      [`polymarket,${TOKENS[0]},${times},false,bid,0.4,1,2`, 'the row does not match its columns'],
    ]
    const text = file(BOOK_HEAD, good, ...wrong.map(([row]) => row!))
    const report = await importText(store, tardisBook, 'book.csv', text, named)
    expect(report.rejects.map(({ line, reason }) => [line, reason])).toEqual(wrong.map(([, why], i) => [i + 3, why!]))
    expect(report).toMatchObject({ rows: 1 + wrong.length, messages: 1, rejected: wrong.length })
    expect(await Bun.file(report.rejectFiles[0]!).text()).toContain('maybe')
  }))

test('a file of another exchange, other columns, or of tokens of no known market is refused whole', () =>
  withStore(async (store) => {
    const row = (exchange: string, token: string) => `${exchange},${token},${START_US},${START_US},false,bid,0.4,1`
    const refused = async (text: string, why: RegExp, options = named as { markets?: string[] }) =>
      expect(importText(store, tardisBook, 'book.csv', text, options)).rejects.toThrow(why)
    await refused(file(BOOK_HEAD, row('binance', 'BTCUSDT')), /exchange "binance": only polymarket is accepted/)
    await refused(file(BOOK_HEAD.replace('side,price', 'price,side')), /must begin with the line exchange,symbol/)
    await refused('', /is empty/)
    await refused(file(BOOK_HEAD, row('polymarket', 'YES')), /symbol "YES", which is not a token/)
    await refused(file(BOOK_HEAD, row('polymarket', TOKENS[0]!)), /does not name its market/, {})
    const three = ['1', '2', '3'].map((token) => row('polymarket', token))
    await refused(file(BOOK_HEAD, ...three), /token 3, and does not name its market/)
    expect(await store.store.catalogue.market('polymarket', CONDITION)).toBeUndefined()
  }))

test("tokens have the market that the venue's metadata says", () =>
  withStore(async (store) => {
    const other = `0x${'cd'.repeat(32)}`
    const gamma = (conditionId: string, tokens: string[]) =>
      JSON.stringify({
        id: '1',
        question: 'Q',
        conditionId,
        slug: conditionId,
        clobTokenIds: tokens,
        outcomes: ['Y', 'N'],
      })
    await store.loadLines('gamma.ndjson', [gamma(CONDITION, TOKENS), gamma(other, ['71', '72'])])
    const row = (token: string, id: string) => `polymarket,${token},${START_US},${START_US},${id},buy,0.4,1`
    const text = file(TRADE_HEAD, row(TOKENS[0]!, '0x1'), row('72', '0x2'), row(TOKENS[1]!, '0x3'))
    expect(await importText(store, tardisTrades, 'trades.csv', text)).toMatchObject({ rows: 3, recordsAdded: 3 })
    const onlyOther = { markets: [other] }
    expect(await importText(store, tardisTrades, 'trades.csv', text, onlyOther)).toMatchObject({
      rows: 1,
      recordsAdded: 0,
    })
    const ids = (await recordsOf(store)).map(({ asset_id, msg }) => [asset_id, (msg as never)['transaction_hash']])
    expect(ids.sort()).toEqual(
      [
        [TOKENS[1], '0x3'],
        [TOKENS[0], '0x1'],
      ].sort(),
    )
  }))

test('a check needs no store: it counts rows and messages', () =>
  withStore(async (store) => {
    const row = (us: number, rest: string) => `polymarket,${TOKENS[0]},${us},${us},${rest}`
    const path = `${store.folder}/checked.csv`
    const rows = [
      [1, 'true,bid,0.4,1'],
      [2, 'false,bid,0.4,0'],
      [3, 'false,bid,0.3,2'],
      [4, 'true,bid,0.3,2'],
      [5, 'true,bid,0.1,2'],
    ] as const
    await Bun.write(path, file(BOOK_HEAD, ...rows.map(([ms, rest]) => row(START_US + ms * 1_000, rest))))
    expect(await checkFile(tardisBook, path)).toMatchObject({ rows: 5, messages: 5 })
  }))

test('a file that is cut off is refused, and nothing of it is stored', () =>
  withStore(async (store) => {
    const path = `${store.folder}/cut.csv.gz`
    const packed = Bun.gzipSync(Buffer.from(madeBook(9)))
    await Bun.write(path, packed.slice(0, packed.length - 20))
    expect(checkFile(tardisBook, path)).rejects.toThrow(/is damaged or cut off/)
  }))
