// What is in deploy/ fits the program: its command lines are understood, its variables are known, its times add up.

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../src/config/config.ts'
import { SETTING_NAMES, settingOf } from '../src/config/settings.ts'

const DEPLOY = join(import.meta.dir, '../deploy')
const MAIN = join(import.meta.dir, '../src/main.ts')
const textOf = (name: string) => readFileSync(join(DEPLOY, name), 'utf8')

/** The words after the program's own name in each line that runs it. */
function commandLines(text: string): string[][] {
  const lines = [...text.matchAll(/^ExecStart=.*?\/usr\/local\/bin\/backbook (.*?)'?$/gm)].map(([, words]) => words!)
  return lines.map((line) =>
    line
      .replaceAll(/"[^"]*"/g, 'X')
      .replaceAll(/\$\{[A-Z_]+\}/g, '1')
      .split(' '),
  )
}

const unknownOptions = (words: string[]) => {
  const help = Bun.spawnSync([process.execPath, MAIN, words[0]!, '--help']).stdout.toString()
  return words.filter((word) => word.startsWith('--') && !help.includes(`${word} `) && !help.includes(`${word}\n`))
}

test.each(['backbook.service', 'backbook-record.service', 'backbook-backup.service'])(
  '%s runs commands that there are',
  (name) => {
    const [words, ...more] = commandLines(textOf(name))
    expect(more).toEqual([])
    expect(unknownOptions(words!)).toEqual([])
  },
)

test('the container runs a command that there is', () => {
  const words = JSON.parse(/^CMD (\[.*\])$/m.exec(textOf('Containerfile'))?.[1] ?? '[]') as string[]
  expect(words[0]).toBe('serve')
  expect(unknownOptions(words)).toEqual([])
})

test('the unit gives the server longer to stop than the server takes', () => {
  const seconds = Number(/^TimeoutStopSec=([0-9]+)$/m.exec(textOf('backbook.service'))?.[1])
  expect(seconds * 1_000).toBeGreaterThan(
    readConfig({ flags: {}, variables: {}, file: undefined }, 1).shutdownMs + 10_000,
  )
})

test.each([
  ['backbook.env', /^#([A-Z_]+)=/gm, 6],
  ['backbook.service', /^Environment=([A-Z_]+)=/gm, 1],
  ['backbook-record.service', /^Environment=([A-Z_]+)=/gm, 1],
  ['backbook-backup.service', /^Environment=([A-Z_]+)=/gm, 1],
  ['Containerfile', /(BACKBOOK_[A-Z_]+)=/g, 3],
])('the variables of %s are settings', (name, pattern, count) => {
  const known = SETTING_NAMES.map((setting) => settingOf(setting).variable)
  const names = [...textOf(name).matchAll(pattern)].map(([, variable]) => variable!)
  expect(names.length).toBe(count)
  expect(names.filter((variable) => !known.includes(variable))).toEqual([])
})

test.skipIf(Bun.which('systemd-analyze') === null)('systemd understands the units (skipped without it)', () => {
  const units = ['backbook.service', 'backbook-record.service', 'backbook-backup.service', 'backbook-backup.timer']
  const { stdout, stderr } = Bun.spawnSync(['systemd-analyze', 'verify', ...units.map((name) => join(DEPLOY, name))])
  const said = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('backbook'))
  // The program itself is not installed where tests run.
  expect(said.filter((line) => !line.includes('/usr/local/bin/backbook is not executable'))).toEqual([])
})
