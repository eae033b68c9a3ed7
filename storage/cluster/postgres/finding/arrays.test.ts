// Goal: values that a statement has as arrays reach PostgreSQL as they are.

import { expect, test } from 'bun:test'
import { SQL } from 'bun'
import fc from 'fast-check'
import { integers, texts } from './arrays.ts'

const POSTGRES = process.env['POSTGRES_TEST_URL']
const ODD = [
  '',
  'NULL',
  'null',
  '{',
  '}',
  '{a,b}',
  ',',
  '"',
  '\\',
  '\\"',
  '""',
  ' a ',
  '\n',
  '\t',
  "'",
  '$1',
  'é',
  '漢字',
  '🂡',
]
const LARGE = [0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, '9223372036854775807', null]

async function arriveAsTheyAre() {
  const sql = new SQL(POSTGRES!, { max: 1 })
  const arrived = async (all: string[]) => {
    const rows: { value: string }[] = await sql`
      SELECT value FROM unnest(${texts(sql, all, (each) => each)}) WITH ORDINALITY AS u(value, n) ORDER BY n`
    return rows.map(({ value }) => value)
  }
  try {
    expect(await arrived(ODD)).toEqual(ODD)
    // PostgreSQL has no texts with the character 0.
    const text = fc.string({ unit: 'grapheme' }).map((each) => each.replaceAll('\0', ''))
    await fc.assert(
      fc.asyncProperty(fc.array(text), async (all) => expect(await arrived(all)).toEqual(all)),
      { numRuns: 50 },
    )
    const rows: { value: string | null }[] = await sql`
      SELECT value::text FROM unnest(${integers(sql, LARGE, (each) => each)}) WITH ORDINALITY AS u(value, n) ORDER BY n`
    expect(rows.map(({ value }) => value)).toEqual(LARGE.map((each) => (each === null ? null : String(each))))
  } finally {
    await sql.close()
  }
}

if (POSTGRES === undefined) test.skip('arrays of a statement: POSTGRES_TEST_URL is not set', () => undefined)
else test('texts and whole numbers arrive as they are', arriveAsTheyAre)
