// Tests each parameter of market/depth-map with wrong values, and its Arrow columns.

import { expect, test } from 'bun:test'
import { tableFromIPC } from '@uwdata/flechette'
import { kalshiSnapshot, NOON, received, TICKER } from '../../test/model/lines.ts'
import { AUTHORIZED, ask, fakeWorkers, testApp } from '../../test/support/server.ts'
import { withStore } from '../../test/support/store.ts'
import { answerInProcess } from '../../workers/pool/answer-in-process.ts'

const PATH = `/kalshi/market/depth-map?ticker=${TICKER}`
const RESOLUTION = '100, 250 or a whole number of seconds up to 900000, in ms'

type Body = { code: string; errors: { field: string; message: string }[] }

test.each([
  ...['', '0', '150', '1500', '901000', '1000.0', '1e3', '-1000'].map((text) => ['resolution_ms', RESOLUTION, text]),
  ...['', '0', '1', '0.00009', '0.11', '.01', '0.0000001', '1e-2', '0.'].map((text) => {
    return ['price_step', 'a decimal from 0.0001 to 0.1 with at most six places', text]
  }),
  ...['', 'sum', 'MAX'].map((text) => ['aggregate', 'max, mean or last', text]),
  ...['csv', 'parquet', 'table'].map((text) => ['format', 'json, ndjson or arrow', text]),
] as [string, string, string][])('%s must be %s, not %j', async (field, accepts, text) => {
  const { status, body } = await ask(testApp(), `${PATH}&date=2026-08-10&${field}=${encodeURIComponent(text)}`)
  const { code, errors } = body as Body
  const message = `must be ${accepts}, got ${JSON.stringify(text)}`
  expect({ status, code, errors }).toEqual({ status: 400, code: 'parameters_invalid', errors: [{ field, message }] })
})

test('too many cells are refused', async () => {
  const { status, body } = await ask(testApp(), `${PATH}&date=2026-08-10&resolution_ms=1000&price_step=0.001`)
  expect([status, (body as Body).code]).toEqual([400, 'range_too_long'])
  expect((body as Body).errors[0]!.message).toStartWith(
    'must give at most 4000000 cells, got "1000", which gives 86400 columns of 1001 prices: ',
  )
})

test('Arrow has the requested columns', async () => {
  await withStore(async (store) => {
    await store.loadLines('day.ndjson', [JSON.stringify(received(1_000, kalshiSnapshot([['0.4800', '2.00']])))])
    const workers = { ...fakeWorkers(), ...answerInProcess(store.store) }
    const app = testApp({ catalogue: store.store.catalogue, workers })
    const query = `start_timestamp=${NOON}&end_timestamp=${NOON + 2_999}&resolution_ms=1000&format=arrow`
    const tableOf = async (columns: string) => {
      const request = new Request(`http://localhost${PATH}&${query}${columns}`, { headers: AUTHORIZED })
      return tableFromIPC(await (await app.fetch(request)).arrayBuffer())
    }
    expect((await tableOf('')).names).toEqual(['price', 'sizes'])
    expect((await tableOf('&columns=price')).names).toEqual(['price'])
    const sizes = await tableOf('&columns=sizes')
    expect(Array.from(sizes.getChild('sizes').at(0) as Float32Array)).toEqual([0, 2, 0])
    expect(sizes.schema.metadata?.get('backbook.known')).toBe('[[1,1]]')
  })
})
