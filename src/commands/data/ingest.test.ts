// The exit code and the message show whether a load loaded anything.

import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kalshiTrade } from '../../../test/model/lines.ts'
import { runBackbook } from '../../../test/support/programs/program.ts'

const MAIN = join(import.meta.dir, '../../main.ts')
const folder = mkdtempSync(join(tmpdir(), 'backbook-ingest-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let made = 0
/** Runs `ingest` on a new folder with these files, or only on the files `named`. */
async function ingest(files: Record<string, string | Uint8Array>, named?: string[]) {
  const captures = join(folder, `captures-${made++}`)
  mkdirSync(captures)
  for (const [name, text] of Object.entries(files)) await Bun.write(join(captures, name), text)
  const paths = named?.map((name) => join(captures, name)) ?? [captures]
  const { out, err, exitCode } = await runBackbook(['ingest', ...paths, '--data', join(folder, `data-${made}`)])
  const readable = (text: string) =>
    text.replaceAll(captures, 'captures').replaceAll(join(folder, `data-${made}`), 'data')
  return { exitCode, out: readable(out), err: readable(err) }
}

const line = (n: number) => `${JSON.stringify(kalshiTrade(n, `${n}`))}\n`
const ACCEPTED = 'a capture is NDJSON (.ndjson, .jsonl, .json, .txt, .log), plain, .gz or .zst'

describe('ingest', () => {
  test('of an empty folder says that nothing is there', async () => {
    const { exitCode, out, err } = await ingest({})
    expect([exitCode, out]).toEqual([2, ''])
    expect(err).toBe(`backbook: no capture in "captures"; ${ACCEPTED}\n`)
  })

  test('of a folder without captures says so', async () => {
    const { exitCode, err } = await ingest({ 'a.csv': 'x', 'b/c.csv': 'x', 'd.parquet': 'x', LICENSE: 'x' })
    expect(exitCode).toBe(2)
    expect(err).toBe(`backbook: no capture in "captures"; ${ACCEPTED}\n`)
  })

  test.each([
    ['day.parquet', 'PAR1', 'parquet'],
    ['day.csv.gz', 'a,b', 'csv'],
  ])('of %s together with captures loads nothing', async (name, text, kind) => {
    const { exitCode, err, out } = await ingest({ [name]: text, 'a.ndjson': line(1) }, ['a.ndjson', name])
    expect([exitCode, out]).toEqual([2, ''])
    expect(err).toBe(`backbook: "captures/${name}" is a ${kind} file; ${ACCEPTED}\n`)
  })

  test('of a text without a message says so, after its report', async () => {
    const { exitCode, out, err } = await ingest({ 'notes.txt': 'time,price\n1,0.5\n' })
    expect(exitCode).toBe(1)
    expect(out).toContain('2 lines could not be understood:')
    expect(err).toBe(
      'backbook: nothing is loaded of "captures/notes.txt": no message in it could be understood; ' +
        'a line of a capture is a message of Kalshi or Polymarket as JSON\n',
    )
  })

  test('of empty captures says so', async () => {
    const { exitCode, err } = await ingest({ 'a.ndjson': '', 'b.ndjson': '\n' })
    expect(exitCode).toBe(1)
    expect(err).toContain('nothing is loaded of 2 files: there is no message in them')
  })

  test('of an empty capture together with another one succeeds', async () => {
    const { exitCode, out, err } = await ingest({ 'a.ndjson': '', 'b.ndjson': line(1) + line(2) })
    expect([exitCode, err]).toEqual([0, ''])
    expect(out).toMatch(
      /^2 files, 2 records in .* a second\)\n2 records are new, in 1 market day\n2 lines: 2 records\n$/,
    )
  })

  test('of one record writes no plural', async () => {
    const { exitCode, out } = await ingest({ 'a.ndjson': `PONG\n{"type":"subscribed"}\n${line(1)}nonsense\n` })
    expect(exitCode).toBe(0)
    expect(out).toMatch(/^1 file, 1 record in /)
    expect(out).toContain('\n1 record is new, in 1 market day\n4 lines: 1 record, 2 control frames, 1 not understood\n')
    expect(out).toContain('1 line could not be understood:\n')
    expect(out).toContain('  it is stored in data/rejects/a.ndjson-')
  })

  test('of control frames alone succeeds: the market was quiet', async () => {
    const { exitCode, out } = await ingest({ 'a.ndjson': '{"type":"subscribed"}\n' })
    expect(exitCode).toBe(0)
    expect(out).toContain('\n1 line: 1 control frame\n')
  })

  test('reports what happened to everything it read, in numbers that add up', async () => {
    const lines = [
      ...['PING', '[]', '{"type":"subscribed"}', '{"backbook":"note"}', '', 'nonsense'],
      ...[
        JSON.stringify([
          kalshiTrade(1, '1'),
          kalshiTrade(2, '2'),
          { type: 'trade', sid: 1, msg: { market_ticker: 'K X' } },
        ]),
      ],
      JSON.stringify({ ticker: 'KXA-26-B', event_ticker: 'KXA-26', title: 'a', status: 'open' }),
    ]
    const { out } = await ingest({ 'a.ndjson': `${lines.join('\n')}\n` })
    expect(out).toContain(
      '9 messages in 8 lines: 2 records, 3 control frames, 1 line of the recorder about itself, ' +
        '1 document of metadata, 2 not understood\n',
    )
  })

  test('counts a market day of two captures once', async () => {
    const { out } = await ingest({ 'a.ndjson': line(1), 'b.ndjson': line(2) })
    expect(out).toContain('\n2 records are new, in 1 market day\n')
  })

  test("of a mirror's folder leaves out its manifests, and of a gzip under another name loads what it holds", async () => {
    const manifest = JSON.stringify({ venue: 'kalshi', date: '2026-07-20', files: [] }, null, 1)
    const { exitCode, out } = await ingest({
      ...{
        'kalshi/2026-07-20/manifest.json': manifest,
        'a.json': Bun.gzipSync(JSON.stringify([kalshiTrade(1, '1')], null, 1)),
      },
      'b.ndjson.zst': Bun.gzipSync(line(2)),
    })
    expect(exitCode).toBe(0)
    expect(out).toMatch(/^2 files, 2 records in /)
  })

  test('of - reads stdin, and a signal stops it with a message about what is stored', async () => {
    const data = join(folder, `stdin-${made++}`)
    const command = [process.execPath, MAIN, 'ingest', '-', '--data', data]
    const env = { PATH: process.env['PATH'] ?? '', TMPDIR: join(folder, `tmp-${made}`) }
    mkdirSync(env.TMPDIR)
    const start = () => Bun.spawn(command, { env, stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' })
    const whole = start()
    whole.stdin.write(`${line(1)}${line(2)}`)
    whole.stdin.end()
    expect([await whole.stdout.text(), await whole.exited]).toEqual([expect.stringMatching(/^2 records are new/m), 0])
    expect(readdirSync(env.TMPDIR)).toEqual([])
    const stopped = start()
    // The command listens for signals once its copy of stdin exists.
    while (readdirSync(env.TMPDIR, { recursive: true }).length < 2) await Bun.sleep(5)
    stopped.kill('SIGINT')
    const [err] = await Promise.all([stopped.stderr.text(), stopped.exited])
    expect([err, stopped.signalCode]).toEqual([
      'stopped: what was loaded stays stored; run the same command again to load the rest\n',
      'SIGINT',
    ])
    expect(readdirSync(env.TMPDIR)).toEqual([])
  })
})
