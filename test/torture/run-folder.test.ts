// long: a run with a server for each way to end it
// Goal: a run of the torture that is interrupted or killed leaves no server and no folder behind.

import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { IS_LONG } from '../run/effort.ts'
import { temporaryFolder } from '../support/server.ts'
import { processesOn, sweepRunFolders } from './run-folder.ts'

const MAIN = join(import.meta.dir, 'main.ts')
const FOREVER = 'setInterval(() => undefined, 1000)'

async function until(isSo: () => boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (isSo()) return
    await Bun.sleep(50)
  }
  throw new Error(`${what} never`)
}

/** Starts a run that has a server. Returns the run and the folder that holds all its files. */
async function running(command = [MAIN]) {
  const folder = temporaryFolder()
  const words = [process.execPath, ...command, 'odd-requests', '--minutes', '5']
  const env = { ...process.env, TMPDIR: folder.path }
  const main = Bun.spawn(words, { env, stdout: 'ignore', stderr: 'ignore' })
  const serves = () => processesOn(folder.path).some((pid) => wordsOf(pid).includes('serve'))
  await until(serves, 'a server of the torture')
  return { folder, main }
}

const wordsOf = (pid: number) => Bun.spawnSync(['ps', '-o', 'args=', '-p', String(pid)]).stdout.toString()

const isClean = (path: string) => processesOn(path).length === 0 && readdirSync(path).length === 0

/** Only on Linux: `processesOn` finds processes in /proc. */
describe.skipIf(process.platform !== 'linux')('a run of the torture', () => {
  test.each(IS_LONG ? (['SIGINT', 'SIGTERM'] as const) : (['SIGTERM'] as const))(
    'that gets %s cleans up before it ends',
    async (signal) => {
      const { folder, main } = await running()
      main.kill(signal)
      expect(await main.exited).toBe(128 + { SIGINT: 2, SIGTERM: 15 }[signal])
      expect(processesOn(folder.path)).toEqual([])
      expect(readdirSync(folder.path)).toEqual([])
      folder[Symbol.dispose]()
    },
    60_000,
  )

  test('does not begin outside its own folder, and removes no other folder', async () => {
    const folder = temporaryFolder()
    const words = [process.execPath, join(import.meta.dir, 'run-topics.ts'), 'properties', '--rounds', '1']
    const env = { ...process.env, TMPDIR: folder.path }
    const topics = Bun.spawn(words, { env, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
    expect(await topics.exited).toBe(2)
    expect(await topics.stderr.text()).toContain('bun run torture')
    expect([processesOn(folder.path), existsSync(folder.path)]).toEqual([[], true])
    folder[Symbol.dispose]()
  }, 60_000)

  test.each([
    ['that is killed', [MAIN]],
    ['whose bun run is killed', ['run', 'torture']],
  ])(
    '%s cleans up behind itself',
    async (_, command) => {
      const { folder, main } = await running(command)
      main.kill('SIGKILL')
      await until(() => isClean(folder.path), 'clean')
      folder[Symbol.dispose]()
    },
    60_000,
  )
})

test('the next run removes what a killed run left', async () => {
  const folder = temporaryFolder()
  const ended = Bun.spawn(['true'])
  await ended.exited
  const left = join(folder.path, `backbook-torture-${ended.pid}-abc123`)
  const alive = join(folder.path, `backbook-torture-${process.pid}-abc123`)
  for (const each of [left, alive]) mkdirSync(join(each, 'data'), { recursive: true })
  const spawn = (each: string) => Bun.spawn([process.execPath, '-e', FOREVER, join(each, 'data')])
  const [onLeft, onAlive] = [spawn(left), spawn(alive)]
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder.path
  try {
    sweepRunFolders()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
  await onLeft.exited
  expect([onLeft.signalCode, existsSync(left)]).toEqual(['SIGKILL', false])
  expect([onAlive.exitCode, onAlive.signalCode, existsSync(alive)]).toEqual([null, null, true])
  onAlive.kill()
  folder[Symbol.dispose]()
})
