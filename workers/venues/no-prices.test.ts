// Prices of NO are read on the scale that the capture declares, else on the one that its user declares, else on the
// scale on which no book is crossed. A capture with crossed books on both scales is not loaded.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { JsonObject } from '../../test/model/json.ts'
import { capture, DAY, kalshiDelta, kalshiSnapshot, NOW, received, TICKER } from '../../test/model/lines.ts'
import { loadTexts } from '../../test/model/model.ts'
import { dateRequest, type TestStore, withStore } from '../../test/support/store.ts'
import { expectSameRecords } from '../../test/workers/load/model-comparison.ts'
import { type FileReport, HERE, loadWith } from '../load/load-capture.ts'
import type { GivenNoPrices } from './no-prices.ts'

const subscribe = (useYesPrice: boolean | null): JsonObject => ({
  ...{ id: 1, cmd: 'subscribe' },
  params: { channels: ['orderbook_delta'], market_tickers: [TICKER], use_yes_price: useYesPrice },
})
const header = (useYesPrice: boolean | null): JsonObject => ({
  backbook: 'segment',
  venue: 'kalshi',
  use_yes_price: useYesPrice,
})
const onYes = kalshiSnapshot([['0.6000', '10.00']], [['0.6200', '15.00']])
const onNo = kalshiSnapshot([['0.6000', '10.00']], [['0.3800', '15.00']])
const oneSided = kalshiSnapshot([], [['0.6200', '15.00']])
const bothCrossed = kalshiSnapshot([['0.6000', '10.00']], [['0.5000', '1.00']])
const change = kalshiDelta(2_000, '0.6200', '5.00', 'no')
const cents = { ...onYes, msg: { market_ticker: TICKER, yes: [[60, 10]], no: [[62, 15]] } }

async function load(store: TestStore, text: string, noPrices: GivenNoPrices): Promise<FileReport> {
  const path = join(store.folder, 'capture.ndjson')
  await Bun.write(path, `${text}\n`)
  return (await loadWith([HERE], store.store, store.folder, [path], { noPrices }))[0]!
}

type Case = [what: string, events: JsonObject[], given: GivenNoPrices, ask: number | null]
test.each<Case>([
  ['a command says yes', [subscribe(true), onYes, change], undefined, 0.62],
  ['a command says no', [subscribe(false), onNo], 'yes', 0.62],
  ['a command behind the first book', [onYes, subscribe(true), change], undefined, 0.62],
  ['a command says nothing', [subscribe(null), onYes], undefined, 0.38],
  ['a command says nothing and a later one no', [subscribe(null), onNo, subscribe(false)], undefined, 0.62],
  ['the user says yes', [onYes, change], 'yes', 0.62],
  ['the user says no, whatever is crossed', [onYes], 'no', 0.38],
  ['the file is stronger than the user', [subscribe(true), onYes], 'no', 0.62],
  ['snapshots say yes', [oneSided, onYes, change], 'snapshots', 0.62],
  ['snapshots in cents say yes', [cents], 'snapshots', 0.62],
  ['snapshots say no', [onNo], 'snapshots', 0.62],
  ['nothing decides', [oneSided], 'snapshots', 0.38],
])('%s', (_what, events, given, ask) =>
  withStore(async (store) => {
    const text = capture(
      ...events.map((event, i) => received(i * 1_000, event)),
      received(9_000, kalshiDelta(9_000, '0.0100', '1.00')),
    )
    const report = await load(store, text, given)
    expect([report.error, report.rejected]).toEqual([null, 0])
    await expectSameRecords(store, loadTexts([text], NOW, given ?? 'no'))
    const rows = (await store.summary(dateRequest('kalshi', TICKER, TICKER, DAY, 3_600))) as { best_ask: number }[]
    expect(rows.at(-1)!.best_ask).toBe(ask!)
  }),
)

test.each<Case>([
  ['a command says yes and then no', [subscribe(true), onYes, subscribe(false)], undefined, null],
  ['a command says no and then yes', [subscribe(false), onNo, subscribe(true)], undefined, null],
  ['a command says nothing and a later one yes', [subscribe(null), onNo, subscribe(true), onYes], undefined, null],
  ['a command says yes and a later one nothing', [subscribe(true), onYes, subscribe(null), onNo], undefined, null],
  ['snapshots are crossed both ways', [onYes, onNo, bothCrossed], 'snapshots', null],
])('refused: %s', (_what, events, given) =>
  withStore(async (store) => {
    const text = capture(...events.map((event, i) => received(i * 1_000, event)))
    const report = await load(store, text, given)
    expect(report.error).toContain('is not loaded: ')
    expect(report.records).toBe(0)
    expect(loadTexts([text], NOW, given ?? 'no').refused).toHaveLength(1)
    await expectSameRecords(store, loadTexts([text], NOW, given ?? 'no'))
  }),
)

test.each([
  [true, 0.62],
  [false, 0.38],
  [null, 0.38],
])('a segment whose header says %j', (useYesPrice, ask) =>
  withStore(async (store) => {
    const text = [
      JSON.stringify(header(useYesPrice)),
      capture(received(0, onYes), received(1, 'nothing' as never), received(2_000, change)),
    ].join('\n')
    const report = await load(store, text, undefined)
    // A file that is read twice reports its rejected lines once.
    expect([report.rejected, report.rejects.length, report.error]).toEqual([1, 1, null])
    expect((await Bun.file(report.rejectFile!).text()).trim().split('\n')).toHaveLength(1)
    await expectSameRecords(store, loadTexts([text], NOW))
    const rows = (await store.summary(dateRequest('kalshi', TICKER, TICKER, DAY, 3_600))) as { best_ask: number }[]
    expect(rows.at(-1)!.best_ask).toBe(ask)
  }),
)

test('a book of the REST API has one scale', () =>
  withStore(async (store) => {
    const rest = {
      type: 'orderbook',
      ticker: TICKER,
      msg: { orderbook_fp: { yes_dollars: [['0.6000', '1.00']], no_dollars: [['0.3800', '1.00']] } },
    }
    const report = await load(store, capture(received(0, subscribe(true)), received(1_000, rest)), undefined)
    expect(report).toMatchObject({ records: 1, error: null })
    const rows = (await store.summary(dateRequest('kalshi', TICKER, TICKER, DAY, 3_600))) as { best_ask: number }[]
    expect(rows.at(-1)!.best_ask).toBe(0.62)
  }))
