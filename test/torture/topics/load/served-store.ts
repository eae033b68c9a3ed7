// The real server as a separate process with a synthetic day, and what a client needs for its requests.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type SyntheticDay, syntheticDay } from '../../../../workers/synthetic/synthetic-day.ts'
import { runProcess } from '../../../support/programs/program.ts'

const MAIN = join(import.meta.dir, '../../../../src/main.ts')
const DATE = '2026-07-20'

export type Served = {
  port: number
  pid: number
  /** A key without limits, of user "ann". */
  secret: string
  /** The data folder, and the capture that was loaded into it. */
  data: string
  capture: string
  day: SyntheticDay
  /** Returns the log of the server. */
  log: () => Promise<string>
  /** Stops the server. Throws if it has ended by itself, or does not end well. */
  close(): Promise<void>
}

type Options = { records: number; settings?: Record<string, string> }

export async function serveStore(folder: string, { records, settings = {} }: Options): Promise<Served> {
  const data = join(folder, 'data')
  mkdirSync(folder, { recursive: true })
  const day = syntheticDay({ date: DATE, kalshiRecords: records, polymarketRecords: Math.ceil(records / 5) })
  const capture = join(folder, 'kalshi.ndjson')
  await writeLines(capture, day.kalshiLines)
  await writeLines(join(folder, 'polymarket.ndjson'), [...day.polymarketLines, JSON.stringify(day.gammaEvent)])
  await expectEnd(['ingest', '--data', data, capture, join(folder, 'polymarket.ndjson')])
  const made = await expectEnd(['keys', 'create', '--data', data, '--user', 'ann', '--name', 'load', '--plan', 'pro'])
  const secret = made.split('\n')[0]!
  const env = { PATH: process.env['PATH'] ?? '', WORKER_THREADS: '2', ...settings }
  const stderr = join(folder, 'serve.log')
  const command = [process.execPath, MAIN, 'serve', '--data', data, '--port', '0']
  const child = Bun.spawn(command, { env, stdout: 'pipe', stderr: Bun.file(stderr) })
  const log = () => Bun.file(stderr).text()
  const url = await firstUrl(child.stdout)
  if (url === undefined) throw new Error(`the server did not start: ${await log()}`)
  return {
    port: Number(new URL(url).port),
    pid: child.pid,
    secret,
    data,
    capture,
    day,
    log,
    async close() {
      const hadEnded = child.exitCode ?? child.signalCode
      child.kill('SIGTERM')
      const code = await child.exited
      if (hadEnded !== null || code !== 0) throw new Error(`the server ended: ${hadEnded ?? code}\n${await log()}`)
    },
  }
}

const writeLines = (path: string, lines: Iterable<string>) => Bun.write(path, `${Array.from(lines).join('\n')}\n`)

/** Runs the program. Throws if it fails. */
export async function expectEnd(words: readonly string[]): Promise<string> {
  const { exitCode, out, err } = await runProcess(words)
  if (exitCode !== 0) throw new Error(`${words.join(' ')}: ${exitCode}\n${err}`)
  return out
}

async function firstUrl(stream: ReadableStream<Uint8Array>): Promise<string | undefined> {
  let text = ''
  for await (const bytes of stream) {
    text += new TextDecoder().decode(bytes)
    if (text.includes('\n')) break
  }
  return /http:\S+/.exec(text)?.[0]
}
