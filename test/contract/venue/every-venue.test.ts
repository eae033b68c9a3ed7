// The program reads, stores, returns, prints and replays the messages of each venue as the venue sent them. The suite
// tests each venue of the maps. third-venue.test.ts runs the suite with a made-up venue, too.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { RECORDS_PATH } from '../../../src/replay-endpoints.ts'
import { API_VENUES } from '../../../src/venues.ts'
import { openStore } from '../../../storage/open-store.ts'
import { IDENTITIES, VENUES } from '../../../storage/venue.ts'
import { runBackbook } from '../../support/programs/program.ts'
import { RecorderRun } from '../../support/record/recorder-run.ts'
import { ReplayClient, type ReplayServer, serveReplay } from '../../support/replay/replay-server.ts'
import { AUTHORIZED, temporaryFolder } from '../../support/server.ts'
import { DAY, sentMs } from './samples/sample.ts'
import { SAMPLES } from './samples/samples.ts'

type Printed = { type: string; timestamp: number; received_at: number | null; msg: object } & Record<string, unknown>

/** Returns a message as it was sent. If a record holds only the part under `msg`, returns that part. */
function asSent(text: string, recorded: object | undefined): object {
  const whole = JSON.parse(text) as { msg?: object }
  return whole.msg !== undefined && Bun.deepEquals(whole.msg, recorded) ? whole.msg : whole
}

describe.each(VENUES)('%s', (venue) => {
  const sample = SAMPLES[venue]
  const { market, book, messages } = sample
  const { hasAssets, idField, bookField } = IDENTITIES[venue]
  const { idParameter } = API_VENUES[venue]
  const ofMarket = ['--venue', venue, '--market', market]
  const ofBook = [...ofMarket, ...(hasAssets ? ['--asset-id', book] : [])]
  const received = messages.map(({ text }, index) => `{"recv_ms":${sentMs(index)},"event":${text}}`)
  const bookQuery = `${idParameter}=${market}${hasAssets ? `&asset_id=${book}` : ''}`

  let folder: ReturnType<typeof temporaryFolder>
  let file: string

  /** Runs a command on the store in `data`; returns what it prints. */
  async function run(data: string, ...words: string[]): Promise<string> {
    const { exitCode, out, err } = await runBackbook([...words, '--data', data])
    expect(`${exitCode} ${exitCode === 0 ? '' : err}`).toBe('0 ')
    return out
  }
  const data = (name: string) => join(folder.path, name)
  const recordsIn = async (name: string): Promise<string[]> =>
    (await run(data(name), 'export', ...ofMarket, '--format', 'ndjson')).trim().split('\n')

  /** Serves a store while `ask` runs. */
  async function served<T>(name: string, ask: (server: ReplayServer) => Promise<T>): Promise<T> {
    const store = openStore(data(name))
    using server = serveReplay(store)
    try {
      return await ask(server)
    } finally {
      await store.close()
    }
  }
  const get = async (server: ReplayServer, path: string) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: AUTHORIZED })
    return { status: answer.status, body: (await answer.json()) as unknown }
  }

  beforeAll(async () => {
    folder = temporaryFolder()
    file = join(folder.path, 'capture.ndjson')
    const document = JSON.stringify(sample.document)
    await Bun.write(file, [...sample.skipped, ...received, document].map((line) => `${line}\n`).join(''))
    await run(data('a'), 'ingest', file)
  })
  afterAll(() => folder[Symbol.dispose]())

  test('each message is a record, with its time, and as it was sent', async () => {
    const lines = await recordsIn('a')
    const records = lines.map((line) => JSON.parse(line) as Printed)
    expect(records.map(({ type, timestamp }) => [type, timestamp])).toEqual(
      messages.map(({ kind, timeMs }) => [kind, timeMs]),
    )
    for (const [index, { text }] of messages.entries()) {
      expect(lines[index]).toEndWith(`"msg":${JSON.stringify(asSent(text, records[index]!.msg))}}`)
      expect(records[index]).toMatchObject({ received_at: sentMs(index), [bookField]: book })
    }
  })

  test('a capture that is loaded twice is stored once', async () => {
    const before = await recordsIn('a')
    await run(data('a'), 'ingest', file)
    expect(await recordsIn('a')).toEqual(before)
  })

  test('an export that is loaded again gives the same records', async () => {
    const lines = await recordsIn('a')
    await Bun.write(join(folder.path, 'exported.ndjson'), `${lines.join('\n')}\n`)
    await run(data('b'), 'ingest', join(folder.path, 'exported.ndjson'))
    expect(await recordsIn('b')).toEqual(lines)
  })

  test('the command and the API return the same book', async () => {
    const at = ['--date', DAY, '--record', String(messages.length - 1)]
    const printed = JSON.parse(await run(data('a'), 'book', ...ofBook, ...at, '--json'))
    expect(printed).toMatchObject({ [idField]: market, trust: 'established', bids: sample.bids, asks: sample.asks })
    const path = `/${venue}/market/book?${bookQuery}&date=${DAY}&record=${messages.length - 1}`
    const { body } = await served('a', (server) => get(server, path))
    expect(body).toEqual(printed)
  })

  test('the summary ends with the best prices', async () => {
    const rows = (await run(data('a'), 'summary', ...ofBook, '--date', DAY, '--resolution', '1', '--format', 'ndjson'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const last = rows.findLast((row) => row['is_forward_filled'] === false)
    expect(last).toMatchObject({
      timestamp: sentMs(messages.length - 1),
      ...{ best_bid: sample.bids[0]![0], best_bid_size: sample.bids[0]![1] },
      ...{ best_ask: sample.asks[0]![0], best_ask_size: sample.asks[0]![1] },
    })
  })

  test('after a gap the book is lost', async () => {
    const gapMs = sentMs(messages.length)
    const of = { venue, market, ...(hasAssets ? { asset_id: book } : {}) }
    const gap = { type: 'gap', ...of, recv_ms: gapMs, msg: { reason: 'disconnect', from: gapMs, to: gapMs + 10 } }
    await Bun.write(join(folder.path, 'gap.ndjson'), [...received, JSON.stringify(gap)].join('\n'))
    await run(data('c'), 'ingest', join(folder.path, 'gap.ndjson'))
    const trustAt = async (ms: number) =>
      (JSON.parse(await run(data('c'), 'book', ...ofBook, '--timestamp', String(ms), '--json')) as { trust: string })
        .trust
    expect(await trustAt(gapMs - 1)).toBe('established')
    expect(await trustAt(gapMs + 20)).toBe('lost')
  })

  test('the market is found by its words, in its event, and under each spelling of its id', async () => {
    await served('a', async (server) => {
      const answered = (body: object) => ({ status: 200, body })
      const found = { venue, market, event: { id: sample.event }, record_count: messages.length }
      expect(await get(server, `/search?q=${sample.word}&venue=${venue}`)).toMatchObject(answered({ data: [found] }))
      const info = await get(server, `/${venue}/market/info?${idParameter}=${market}`)
      expect(info).toMatchObject(answered({ [idField]: market, has_data: true }))
      for (const spelling of [market, ...sample.spellings]) {
        const dates = await get(server, `/${venue}/market/date-range?${idParameter}=${spelling}`)
        expect(dates).toMatchObject(answered({ [idField]: market, start_date: DAY, end_date: DAY }))
      }
      const refused = `/${venue}/market/date-range?${idParameter}=${encodeURIComponent(sample.invalid)}`
      expect(await get(server, refused)).toMatchObject({ status: 400, body: { errors: [{ field: idParameter }] } })
    })
  })

  test('each answer about the market names the market and its book', async () => {
    await served('a', async (server) => {
      const answerOf = async (path: string) => ({ path, ...(await get(server, `/${venue}/${path}`)) })
      for (const path of ['depth-summary', 'trade-summary', 'book/changes', 'orderbook-summary']) {
        const body = { [idField]: market, date: DAY }
        expect(await answerOf(`market/${path}?${bookQuery}&date=${DAY}`)).toMatchObject({ status: 200, body })
      }
      const books = [{ [bookField]: book }]
      expect(await answerOf(`market/coverage?${idParameter}=${market}`)).toMatchObject({ body: { dates: [{ books }] } })
      const day = { date: DAY, records: messages.length }
      expect(await answerOf('calendar')).toMatchObject({ body: { data: [day] } })
      const trades = messages.filter(({ kind }) => kind === 'trade')
      expect(await answerOf(`market/trades?${idParameter}=${market}&date=${DAY}`)).toMatchObject({
        body: { data: trades.map(({ timeMs }) => ({ timestamp: timeMs, [bookField]: book })) },
      })
    })
  })

  test('a replay sends the records as they are stored', async () => {
    const lines = await recordsIn('a')
    const frames = await served('a', async ({ url }) => {
      const client = new ReplayClient(`${url}${RECORDS_PATH}?from=${DAY}&to=${DAY}&speed=0&markets=${venue}:${market}`)
      expect(await client.closed).toEqual({ code: 1000, reason: 'the replay has ended' })
      return client.frames
    })
    expect(frames.map((frame) => JSON.parse(frame))).toEqual(
      lines.map((line) => ({ venue, market, ...(JSON.parse(line) as object) })),
    )
  })

  test('the recorder records it from its socket', async () => {
    const { promise: sent, resolve } = Promise.withResolvers<void>()
    let isSent = false
    const double = Bun.serve({
      ...{ hostname: '127.0.0.1', port: 0 },
      fetch: (request, server) => (server.upgrade(request, { data: undefined }) ? undefined : new Response()),
      websocket: {
        message(socket, command) {
          const answers = command === 'PING' || isSent ? null : sample.answer(String(command))
          if (answers === null) return
          isSent = true
          for (const text of [...answers, ...messages.map(({ text }) => text)]) socket.send(text)
          // The Pong comes after the recorder has read all messages before the Ping.
          socket.ping()
        },
        pong: () => {
          if (isSent) resolve()
        },
      },
    })
    mkdirSync(data('d'))
    const section = { ws_url: `ws://127.0.0.1:${double.port}`, audits_per_second: 0, ...sample.section }
    const run = new RecorderRun({ [venue]: section, folder: data('d'), isLoaded: true })
    await sent
    const frames = (await run.stop()).flatMap(({ raw }) => (raw === undefined ? [] : [String(raw)]))
    await double.stop(true)
    expect(frames.slice(-messages.length)).toEqual(messages.map(({ text }) => text))
    // The messages have times of the past, so the records need not be in the order of receipt.
    const recorded = (await recordsIn('d')).map((line) => JSON.parse(line) as Printed)
    const isOf = (text: string) => (record: Printed) => Bun.deepEquals(asSent(text, record.msg), record.msg)
    expect(recorded.length).toBe(messages.length)
    expect(messages.map(({ text }) => recorded.find(isOf(text))?.type)).toEqual(messages.map(({ kind }) => kind))
  })

  test('an export for other programs has a file of the market', async () => {
    for (const target of ['parquet-dataset', 'nautilus', 'tardis', 'hftbacktest']) {
      const out = join(folder.path, target)
      await run(data('a'), 'export', ...ofMarket, '--date', DAY, '--to', target, '-o', out)
      const files = [...new Bun.Glob('**/*.{parquet,csv.gz,npz}').scanSync(out)]
      expect([target, files.some((name) => name.includes(market) || name.includes(book))]).toEqual([target, true])
    }
  })
})
