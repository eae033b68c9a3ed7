// The settings' own rules, and their table in the documentation. `UPDATE_DOCS=1 bun test` writes the table.

import { expect, test } from 'bun:test'
import { defaultOf, flagOf, SETTING_NAMES, settingOf } from '../../../src/config/settings.ts'

const SETTINGS = new URL('../../../docs/settings.md', import.meta.url)
const HEAD = '| setting | flag of `serve` | variable | accepted | default | meaning |\n|---|---|---|---|---|---|\n'

test.each(SETTING_NAMES)('%s has names that follow from each other, and words for everything', (name) => {
  const { variable, description, accepts } = settingOf(name)
  expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/)
  expect([name.toUpperCase(), `BACKBOOK_${name.toUpperCase()}`]).toContain(variable)
  expect([description, accepts, defaultOf(name)].every((words) => words.length > 3 || /^[0-9]+$/.test(words))).toBe(
    true,
  )
})

test('the documentation names every flag whose address may hold a password', async () => {
  const text = await Bun.file(SETTINGS).text()
  const [, named] = /secret has no flag:[^.]*\.([^:]*) have one: give an address that\s+holds a password/.exec(text)!
  const flags = SETTING_NAMES.filter((name) => settingOf(name).secret === 'password').map(flagOf)
  expect(Array.from(named!.matchAll(/`(--[a-z-]+)`/g), ([, flag]) => flag!).sort()).toEqual(flags.sort() as string[])
})

test('the table in docs/settings.md tells all settings as they are', async () => {
  const rows = SETTING_NAMES.map((name) => {
    const { variable, accepts, description } = settingOf(name)
    const flag = flagOf(name)
    const cells = [`\`${name}\``, flag === null ? 'none' : `\`${flag}\``, `\`${variable}\``]
    return `| ${[...cells, accepts, defaultOf(name), description].join(' | ')} |\n`
  })
  const expected = HEAD + rows.join('')
  const text = await Bun.file(SETTINGS).text()
  if (process.env['UPDATE_DOCS'])
    await Bun.write(
      SETTINGS,
      text.replace(/\| setting \|.*\n(?:\|.*\n)+/, () => expected),
    )
  expect(await Bun.file(SETTINGS).text()).toContain(expected)
})
