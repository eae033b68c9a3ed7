// Commands that run until a signal end cleanly, even if the signal comes while they are still loading.

import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { emptyFolder, endRecorders, recordToml } from '../../../test/support/record/record-process.ts'
import { readStatus } from '../../record/status/status-file.ts'
import { UNTIL_STDIN_ENDS } from './stop-signal.ts'

const MAIN = join(import.meta.dir, '../../main.ts')
const PRELOAD = join(import.meta.dir, '../../../test/support/programs/signal-at-load.ts')

afterAll(endRecorders)

/** Runs the program, and sends it the signal when it loads this module of src/. Returns its last line on stderr. */
async function signalledAt(module: string, signal: NodeJS.Signals, words: string[]) {
  const env = { PATH: process.env['PATH'] ?? '', SIGNAL: signal, SIGNAL_AT: `/src/${module}`, WORKER_THREADS: '1' }
  const command = [process.execPath, '--preload', PRELOAD, MAIN, ...words]
  const child = Bun.spawn(command, { env, stdout: 'ignore', stderr: 'pipe' })
  const err = await child.stderr.text()
  return { code: await child.exited, last: err.trimEnd().split('\n').at(-1) ?? '' }
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const
const record = (folder: string) => {
  const text = '[kalshi]\nws_url = "ws://127.0.0.1:1"\nrest_url = ""\ntickers = ["A"]\n'
  return ['record', '--data', folder, '--config', recordToml(folder, text)]
}

test.each(SIGNALS)('record, at %s while it loads', async (signal) => {
  for (const module of ['run-command.ts', 'record/recorder.ts']) {
    const folder = emptyFolder()
    const { code, last } = await signalledAt(module, signal, record(folder))
    expect([module, code, last]).toEqual([module, 0, expect.stringContaining('"message":"stopped"')])
    expect(readStatus(folder, Date.now())?.state).toBe('stopped')
  }
})

test.each(SIGNALS)('serve, at %s while it loads', async (signal) => {
  for (const module of ['run-command.ts', 'app.ts']) {
    const words = ['serve', '--data', emptyFolder(), '--port', '0', '--log-format', 'json']
    const { code, last } = await signalledAt(module, signal, words)
    expect([module, code, last]).toEqual([module, 0, expect.stringContaining('"message":"stopped"')])
  }
})

test('a second signal ends the process, but not the recorder of a server', async () => {
  const codes = [['serve'], ['record'], ['record', UNTIL_STDIN_ENDS]].map(async (words) => {
    const script = `
      import { expectStop, stopSignal } from ${JSON.stringify(join(import.meta.dir, 'stop-signal.ts'))}
      expectStop(${JSON.stringify(words)})
      process.kill(process.pid, 'SIGTERM')
      await stopSignal()
      process.kill(process.pid, 'SIGTERM')
      process.exit(7)`
    return await Bun.spawn([process.execPath, '-e', script], { stdout: 'ignore', stderr: 'inherit' }).exited
  })
  expect(await Promise.all(codes)).toEqual([143, 143, 7])
})

test('a command that ends by itself is ended by the signal', async () => {
  const folder = emptyFolder()
  for (const words of [
    ['markets', '--data', folder],
    [...record(folder), '--check'],
  ]) {
    expect([words[0], (await signalledAt('run-command.ts', 'SIGTERM', words)).code]).toEqual([words[0], 143])
  }
})
