// Tests each parameter of market/depth-summary with wrong values, and its requests to the workers.

import { expect, test } from 'bun:test'
import { ask, testApp } from '../../test/support/server.ts'

const PATH = '/kalshi/market/depth-summary?ticker=KXHIGHNY-26AUG10-B85&date=2026-08-10'
const BANDS = 'up to 8 different decimals from 0 to 1 with commas between, each with at most six places'
const SIZES =
  'up to 8 different decimals above 0 and up to 1000000000 with commas between, each with at most six places'

type Body = { code: string; errors: { field: string; message: string }[] }

const failureOf = async (query: string) => {
  const { status, body } = await ask(testApp(), `${PATH}&${query}`)
  const { code, errors } = body as Body
  return { status, code, errors }
}

const NO_DECIMALS = ['', ',', '0.01,', '.5', '1.', '1e-2', '-0.01', '0.0000001', 'a', '0.01, 0.02', '01', '0.1,0.10']

test.each([
  ...[...NO_DECIMALS, '1.000001', '2', '0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8'].map((text) => ['bands', BANDS, text]),
  ...[...NO_DECIMALS, '0', '0.0', '1000000000.1', '1,2,3,4,5,6,7,8,9'].map((text) => ['sizes', SIZES, text]),
  ...['', '0', '101', '1.5', 'ten'].map((text) => ['levels', 'a whole number from 1 to 100', text]),
] as [string, string, string][])('%s must be %s, not %j', async (field, accepts, text) => {
  expect(await failureOf(`${field}=${encodeURIComponent(text)}`)).toEqual({
    status: 400,
    code: 'parameters_invalid',
    errors: [{ field, message: `must be ${accepts}, got ${JSON.stringify(text)}` }],
  })
})

test('too many levels in too many buckets are refused', async () => {
  const path = '/kalshi/market/depth-summary?ticker=A&start_timestamp=0&end_timestamp=499999&resolution=1'
  const { status, body } = await ask(testApp(), `${path}&levels=21`)
  expect([status, (body as Body).code]).toEqual([400, 'range_too_long'])
  expect((body as Body).errors).toEqual([
    {
      field: 'levels',
      message:
        'must give at most 10000000 levels in all buckets, got "21" in each of 500000: ' +
        'ask for fewer levels, longer buckets or a shorter range',
    },
  ])
})
