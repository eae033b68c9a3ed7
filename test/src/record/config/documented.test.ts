// The tables of docs/recording.md tell all settings of record.toml as they are. `UPDATE_DOCS=1 bun test` writes them.

import { expect, test } from 'bun:test'
import type { TObject } from '@sinclair/typebox'
import { ConfigError } from '../../../../src/config/config-error.ts'
import { recordConfigOf, SECTIONS } from '../../../../src/record/config/read-record-config.ts'
import { RECORDER_SETTINGS } from '../../../../src/record/config/recorder-settings.ts'
import type { Words } from '../../../../src/record/config/setting-kinds.ts'

const PAGE = new URL('../../../../docs/recording.md', import.meta.url)
const HEAD = '| setting | accepted | default | meaning |\n|---|---|---|---|\n'
const TABLES: [string, TObject][] = [
  ['### The recorder', RECORDER_SETTINGS],
  ['### `[polymarket]`', SECTIONS.polymarket],
  ['### `[kalshi]`', SECTIONS.kalshi],
]

const wordsOf = (schema: TObject) => Object.entries(schema.properties) as unknown as [string, Words][]

function tableOf(schema: TObject): string {
  const rows = wordsOf(schema).map(([name, { accepts, unlessGiven, otherwise, description }]) => {
    return `| \`${name}\` | ${accepts} | ${otherwise ?? String(unlessGiven)} | ${description} |\n`
  })
  return HEAD + rows.join('')
}

test.each(TABLES)('%s', async (title, schema) => {
  const expected = `${title}\n\n${tableOf(schema)}`
  if (process.env['UPDATE_DOCS']) {
    const text = await Bun.file(PAGE).text()
    const start = text.indexOf(title)
    const end = text.slice(start).search(/\|\n(?!\|)/) + start + 2
    await Bun.write(PAGE, text.slice(0, start) + expected + text.slice(end))
  }
  expect(await Bun.file(PAGE).text()).toContain(expected)
})

test.each(TABLES.flatMap(([title, schema]) => wordsOf(schema).map(([name, words]) => [title, name, words] as const)))(
  '%s %s has words for everything, and refuses what it does not accept',
  (title, name, { accepts, description, unlessGiven, otherwise }) => {
    expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect([accepts, description].every((words) => words.length > 8)).toBe(true)
    expect(otherwise ?? unlessGiven).not.toBeNull()
    const section = /`\[(\w+)\]`/.exec(title)?.[1]
    const wrong = { [name]: { no: 'such value' } }
    const file = section === undefined ? { ...wrong, kalshi: { tickers: ['A'] } } : { [section]: wrong }
    const message = `${section === undefined ? '' : `${section}.`}${name} must be ${accepts}, got {"no":"such value"}`
    expect(() => recordConfigOf(file, { folder: '.', variables: {}, name: 'x' })).toThrow(
      new ConfigError(`x: ${message}`),
    )
  },
)
