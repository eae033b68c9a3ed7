// A read of a range of a file behind a URL returns the requested bytes, or a fault that names the file and the reason.
// A response that breaks off is requested again.

import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ImpatientTimers } from '../../test/support/impatient-timers.ts'
import { temporaryFolder } from '../../test/support/server.ts'
import { ArchiveFault } from './archive-fault.ts'
import { namedInStore, openByteFile } from './byte-file.ts'

const BYTES = new Uint8Array(1_000).map((_, i) => i)

type Answer = { start: number; end: number; request: number; encodings?: string }
type Server = AsyncDisposable & { url: string; cancelled: Promise<void> }

const PATIENCE_MS = 30_000
/** Opens a file; retries come without a wait. */
const open = (url: string, timers = new ImpatientTimers(PATIENCE_MS)) =>
  openByteFile(url, { patienceMs: PATIENCE_MS, timers })

/** Starts a server. `answer` gets each request first; if it returns undefined, the server sends the right answer. */
function serve(answer: (asked: Answer, cancelled: () => void) => Response | undefined): Server {
  let request = 0
  const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ headers }) {
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.get('range') ?? '') ?? []
      const encodings = headers.get('accept-encoding') ?? ''
      const asked = { start: Number(first), end: Number(last) + 1, request: ++request, encodings }
      return answer(asked, cancel) ?? rangeOf(asked)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/hour.parquet`,
    cancelled,
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

function rangeOf({ start, end }: Answer, { etag = '"1"', length = BYTES.length } = {}): Response {
  const headers = { 'content-range': `bytes ${start}-${end - 1}/${length}`, etag }
  return new Response(BYTES.slice(start, end), { status: 206, headers })
}

const headersOf = (start: number, end: number) => ({
  'content-range': `bytes ${start}-${end - 1}/${BYTES.length}`,
  etag: '"1"',
})

const refusal = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ArchiveFault)
  return (error as ArchiveFault).message
}

test('repeats the request when a response breaks off', async () => {
  await using served = serve(({ start, end, request }) => {
    if (request !== 2) return undefined
    const headers = { 'content-range': `bytes ${start}-${end - 1}/${BYTES.length}`, etag: '"1"' }
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(BYTES.slice(start, start + 5))
        controller.close()
      },
    })
    return new Response(body, { status: 206, headers: { ...headers, 'content-length': String(end - start) } })
  })
  const file = await open(served.url)
  expect(new Uint8Array(await file.slice(100, 900))).toEqual(BYTES.slice(100, 900))
})

/** Returns a stream that sends these bytes in pieces, and awaits `wait` before each. */
const slowly = (bytes: Uint8Array, pieceBytes: number, wait: (sent: number) => Promise<void>) => {
  let sent = 0
  return new ReadableStream({
    async pull(controller) {
      if (sent >= bytes.length) return controller.close()
      await wait(sent)
      controller.enqueue(bytes.slice(sent, sent + pieceBytes))
      sent += pieceBytes
    },
  })
}

test.each([
  ['before it answers', 0],
  ['in the middle of its answer', 50],
])('repeats the request when a server falls silent %s', async (_, sentBefore) => {
  const timers = new ImpatientTimers(PATIENCE_MS)
  const silence = async (sent: number) => {
    if (sent !== sentBefore) return
    timers.pass(PATIENCE_MS)
    await new Promise(() => undefined)
  }
  await using served = serve(({ start, end, request }) => {
    if (request !== 2) return undefined
    const body = slowly(BYTES.slice(start, end), 50, silence)
    return new Response(body, { status: 206, headers: headersOf(start, end) })
  })
  const file = await open(served.url, timers)
  expect(new Uint8Array(await file.slice(100, 900))).toEqual(BYTES.slice(100, 900))
})

test('a slow server may take longer than it may be silent', async () => {
  const timers = new ImpatientTimers(PATIENCE_MS)
  let requests = 0
  /** Waits for the piece before, then lets almost the whole patience pass. */
  const almostTooLong = async (sent: number) => {
    if (requests === 1) return
    await timers.started(3 + sent / 80)
    timers.pass(PATIENCE_MS - 1)
  }
  await using served = serve(({ start, end, request }) => {
    requests = request
    return new Response(slowly(BYTES.slice(start, end), 80, almostTooLong), {
      ...{ status: 206, headers: headersOf(start, end) },
    })
  })
  const file = await open(served.url, timers)
  expect(new Uint8Array(await file.slice(100, 900))).toEqual(BYTES.slice(100, 900))
  expect(requests).toBe(2)
})

test('requests unpacked bytes from a server that would compress the whole file', async () => {
  await using served = serve(({ encodings }) =>
    encodings?.includes('gzip')
      ? new Response(Bun.gzipSync(BYTES), { headers: { 'content-encoding': 'gzip' } })
      : undefined,
  )
  const file = await open(served.url)
  expect(new Uint8Array(await file.slice(100, 900))).toEqual(BYTES.slice(100, 900))
})

test('the bytes of a range are the file, even if the server declares a content encoding', async () => {
  const packed = Bun.gzipSync(BYTES)
  await using served = serve(({ start, end }) => {
    const headers = { 'content-range': `bytes ${start}-${end - 1}/${packed.length}`, 'content-encoding': 'gzip' }
    return new Response(packed.slice(start, end), { status: 206, headers })
  })
  const file = await open(served.url)
  expect(new Uint8Array(await file.slice(0, file.byteLength))).toEqual(packed)
})

test('a redirection is followed, and one to a wrong address is named', async () => {
  await using to = serve(() => undefined)
  await using served = serve(() => new Response(null, { status: 302, headers: { location: to.url } }))
  const file = await open(served.url)
  expect(new Uint8Array(await file.slice(100, 900))).toEqual(BYTES.slice(100, 900))
  const location = 'file:///etc/hostname'
  await using other = serve(() => new Response(null, { status: 302, headers: { location } }))
  expect(await refusal(open(other.url))).toBe(
    `${other.url} cannot be read: its server answered 302, and "${location}" is not followed from there`,
  )
})

test('a server that sends the whole file is refused, and the file is not fetched', async () => {
  await using served = serve((_, cancelled) => {
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(64 << 10)),
      cancel: cancelled,
    })
    return new Response(body)
  })
  expect(await refusal(open(served.url))).toBe(
    `${served.url} cannot be read: its server does not take byte ranges: download it, and name the file`,
  )
  await served.cancelled
})

test.each<[string, (asked: Answer) => Response, string]>([
  ['of another version', (asked) => rangeOf(asked, { etag: '"2"' }), 'changed while it was read'],
  ['of a longer file', (asked) => rangeOf(asked, { length: 1_001 }), 'changed while it was read'],
  ['of other bytes', (asked) => rangeOf({ ...asked, start: 0 }), 'does not take byte ranges'],
  ['that is gone', () => new Response(null, { status: 404 }), 'cannot be read: its server answered 404'],
])('a range %s is refused', async (_, answer, why) => {
  await using served = serve((asked) => (asked.request === 1 ? undefined : answer(asked)))
  const file = await open(served.url)
  const refusalText = await refusal(file.slice(100, 900))
  expect(refusalText).toStartWith(served.url)
  expect(refusalText).toContain(why)
})

test('a file on the disk has ranges and a hash, and a file of a server has ranges alone', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'hour.parquet')
  writeFileSync(path, BYTES)
  const local = await openByteFile(path)
  expect(await local.sha256()).toBe(createHash('sha256').update(BYTES).digest('hex'))
  await using served = serve(() => undefined)
  const remote = await open(served.url)
  expect(await remote.sha256()).toBeNull()
  for (const file of [local, remote]) {
    expect(file.byteLength).toBe(BYTES.length)
    expect(new Uint8Array(await file.slice(100, 900))).toEqual(BYTES.slice(100, 900))
    file.close()
  }
})

test('a folder is not a file', async () => {
  const folder = mkdtempSync(`${tmpdir()}/backbook-test-`)
  expect(await refusal(Promise.resolve().then(() => openByteFile(folder)))).toBe(
    `${folder} is a folder: name the files in it`,
  )
  rmSync(folder, { recursive: true })
})

test.each([
  ['https://ann:word@host.example/a.parquet', 'https://host.example/a.parquet'],
  ['https://:word@host.example/a.parquet', 'https://host.example/a.parquet'],
  ['https://host.example/a?hour=3&X-Amz-Signature=1&api_key=2', 'https://host.example/a?hour=3'],
  ['https://host.example/a?sv=1&se=2&sig=3&hour=4', 'https://host.example/a?hour=4'],
  ['https://host.example/a?se=2&hour=4', 'https://host.example/a?se=2&hour=4'],
  ['day.csv?key=1', 'day.csv?key=1'],
])('%s is stored as %s', (name, stored) => expect(namedInStore(name)).toBe(stored))
