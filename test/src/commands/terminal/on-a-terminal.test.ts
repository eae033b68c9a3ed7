// Output that commands show only on a terminal: progress, bold heads, tables.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { kalshiDelta } from '../../../model/lines.ts'
import { commandStore, DAY, TICKER } from '../../../support/command-store.ts'
import { runProcess } from '../../../support/programs/program.ts'
import { temporaryFolder } from '../../../support/server.ts'
import type { TestStore } from '../../../support/store.ts'

const MAIN = join(import.meta.dir, '../../../../src/main.ts')
const BOLD = '\x1b[1m'
const CTRL_C = '\x03'
const CURSOR_HIDDEN = '\x1b[?25l'
const WRAP_OFF = '\x1b[?7l'

let store: TestStore
beforeAll(async () => {
  store = await commandStore()
})
afterAll(() => store.close())

/** Returns everything that appears on a terminal, from both streams. */
async function onTerminal(
  words: string[],
  env: Record<string, string> = {},
  ctrlCAt?: string,
  data = store.folder,
): Promise<string> {
  let shown = ''
  let isInterrupted = false
  const decoder = new TextDecoder()
  const child = Bun.spawn([process.execPath, MAIN, ...words, '--data', data], {
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm', ...env },
    terminal: {
      cols: 200,
      rows: 50,
      data: (terminal, bytes) => {
        shown += decoder.decode(bytes, { stream: true })
        if (ctrlCAt === undefined || isInterrupted || !shown.includes(ctrlCAt)) return
        isInterrupted = true
        terminal.write(CTRL_C)
      },
    },
  })
  await child.exited
  if (ctrlCAt !== undefined) expect(child.signalCode).toBe('SIGINT')
  child.terminal?.close()
  return shown
}

test('a table has a bold head on a terminal, unless colours are not wanted', async () => {
  expect(await onTerminal(['markets'])).toContain(`${BOLD}VENUE`)
  expect(await onTerminal(['markets'], { NO_COLOR: '1' })).not.toContain('\x1b')
  expect((await runProcess(['markets', '--data', store.folder])).out).not.toContain('\x1b')
}, 30_000)

test('a summary is a table on a terminal', async () => {
  const shown = await onTerminal(['summary', '--venue', 'kalshi', '--market', TICKER, '--date', DAY])
  expect(shown).toMatch(/^TIME \(UTC\) +QUOTES +BID +SIZE +ASK/)
}, 30_000)

test('long work shows a bar on a terminal, but not with --json and not in a file', async () => {
  expect(await onTerminal(['verify'])).toContain(' of 3 market days')
  expect(await onTerminal(['verify', '--json'])).not.toContain('market days')
  expect((await runProcess(['verify', '--data', store.folder])).err).toBe('')
  const path = join(store.folder, 'records.ndjson')
  const shown = await onTerminal(['export', '--venue', 'kalshi', '--market', TICKER, '-o', path])
  expect(shown).toContain(' of 120004 records')
}, 30_000)

test('a backup and a restore show each thing that they do', async () => {
  using folder = temporaryFolder()
  const backup = join(folder.path, 'backup')
  const made = await onTerminal(['backup', backup, '--verify'])
  expect(made).toMatch(/copying .* MB .*verifying .* of 3 market days .*checking .* MB /s)
  const restored = await onTerminal(['restore', backup], {}, undefined, join(folder.path, 'data'))
  expect(restored).toMatch(/restoring .* MB /s)
}, 30_000)

test('a command that is interrupted leaves the terminal as it was', async () => {
  const path = join(store.folder, 'capture.ndjson')
  await Bun.write(path, `${JSON.stringify(kalshiDelta(0, '0.2000', '1.00'))}\n`.repeat(400_000))
  const shown = await onTerminal(['ingest', path], {}, ' records/s')
  expect(shown).not.toContain(CURSOR_HIDDEN)
  expect(shown).not.toContain(WRAP_OFF)
}, 30_000)
