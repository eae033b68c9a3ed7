// The rules of all settings, the program's and those of record.toml, and their tables in the documentation.
// `UPDATE_DOCS=1 bun test` writes the tables.

import { describe, expect, test } from 'bun:test'
import type { TObject } from '@sinclair/typebox'
import { RECORDER_SETTINGS } from '../record/config/record-settings.ts'
import { RECORDED } from '../record/venues/venues.ts'
import { readValues } from './read-values.ts'
import { defaultWords, type Names, type Words } from './setting-kinds.ts'
import { flagOf, SETTING_NAMES, SETTINGS, type SettingName, settingOf } from './settings.ts'

type Setting = Words & Partial<Names>
type Table = { page: string; title: string; schema: TObject; names: Record<string, (name: string) => string> }

const NAMES = {
  'flag of `serve`': (name: string) => flagOf(name as SettingName) ?? 'none',
  variable: (name: string) => settingOf(name as SettingName).variable,
}
const TABLES: Table[] = [
  { page: 'settings.md', title: '# Settings', schema: SETTINGS, names: NAMES },
  { page: 'recording.md', title: '### The recorder', schema: RECORDER_SETTINGS, names: {} },
  { page: 'recording.md', title: '### `[polymarket]`', schema: RECORDED.polymarket.settings, names: {} },
  { page: 'recording.md', title: '### `[kalshi]`', schema: RECORDED.kalshi.settings, names: {} },
]
const pageOf = (page: string) => new URL(`../../docs/${page}`, import.meta.url)
const settingsOf = ({ properties }: TObject) => Object.entries(properties) as unknown as [string, Setting][]
const asCode = (name: string) => (name === 'none' ? name : `\`${name}\``)

describe.each(TABLES)('$page, $title', ({ page, title, schema, names }) => {
  test('the table has all settings as they are', async () => {
    const head = ['setting', ...Object.keys(names), 'accepted', 'default', 'meaning']
    const rows = settingsOf(schema).map(([name, setting]) => {
      const called = [name, ...Object.values(names).map((of) => of(name))].map(asCode)
      return [...called, setting.accepts, defaultWords(setting), setting.description]
    })
    const [first, ...rest] = [head, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`)
    const expected = `${first}${'|---'.repeat(head.length)}|\n${rest.join('')}`
    const text = await Bun.file(pageOf(page)).text()
    const start = text.indexOf(first!, text.indexOf(title))
    const [table] = /^(?:\|.*\n)+/.exec(text.slice(start))!
    if (process.env['UPDATE_DOCS']) {
      await Bun.write(pageOf(page), text.slice(0, start) + expected + text.slice(start + table.length))
    } else expect(table).toBe(expected)
  })

  test.each(settingsOf(schema))('%s has words for everything, and refuses what it does not accept', (name, setting) => {
    const { accepts, description, variable, secret } = setting
    expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/)
    if (variable !== undefined) expect([name.toUpperCase(), `BACKBOOK_${name.toUpperCase()}`]).toContain(variable)
    for (const words of [accepts, description]) expect(words.length).toBeGreaterThan(8)
    expect(defaultWords(setting)).not.toBe('')
    const wrong: string[] = []
    const given = { value: { no: 'such value' }, called: name, isInFile: true }
    readValues(schema, (each) => (each === name ? given : undefined), { wrong })
    expect(wrong).toEqual([`${name} must be ${accepts}${secret === undefined ? ', got a section' : ''}`])
  })
})

test('the documentation names every flag whose address may hold a password', async () => {
  const text = await Bun.file(pageOf('settings.md')).text()
  const [, named] = /secret has no flag:[^.]*\.([^.]*) are flags\.\s+If such an address\s+holds a\s+password/.exec(
    text,
  )!
  const flags = SETTING_NAMES.filter((name) => settingOf(name).secret === 'password').map(flagOf)
  expect(Array.from(named!.matchAll(/`(--[a-z-]+)`/g), ([, flag]) => flag!).sort()).toEqual(flags.sort() as string[])
})
