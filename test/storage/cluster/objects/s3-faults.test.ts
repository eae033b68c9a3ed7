// long: it starts engines and nodes of its own
// Goal: whatever happens between a client and its S3-compatible store, an answer is correct, or an error reports in
// time what is wrong. The error contains no secret.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { ObjectGone } from '../../../../storage/cluster/objects/objects.ts'
import { S3Objects } from '../../../../storage/cluster/objects/s3-objects.ts'
import { type Clock, systemClock } from '../../../../storage/cluster/objects/tries.ts'
import type { ObjectSettings } from '../../../../storage/cluster/settings/cluster-settings.ts'
import { DataError } from '../../../../storage/failures.ts'
import { type FaultyProxy, type ProxyFault, startFaultyProxy } from '../../../support/cluster/faulty-proxy.ts'
import { startS3Double } from '../../../support/cluster/s3-double.ts'
import { S3_SKIPPED, S3_TEST_URL, testObjectSettings } from '../../../support/cluster/s3-server.ts'

const OBJECT = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251)
const RANGE = { key: 'one', start: 70_000, length: 20_000 }
const EXPECTED = OBJECT.slice(70_000, 90_000)
const SLOW_DOWN = { kind: 'refuse', status: 503, code: 'SlowDown' } satisfies ProxyFault

const impatientClock: Clock = {
  ...systemClock,
  after: (delayMs, ring) => systemClock.after(delayMs <= 200 ? 0 : delayMs, ring),
}
const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error) => error,
  )

function suite(url: string) {
  let own: ObjectSettings
  let direct: S3Objects
  let proxy: FaultyProxy
  let settings: ObjectSettings

  beforeAll(async () => {
    own = await testObjectSettings(url)
    direct = new S3Objects(own)
    await direct.put('one', OBJECT)
  })
  // Each test has its own proxy, so that a late request of one test does not count in the next.
  beforeEach(async () => {
    proxy = await startFaultyProxy(own.endpoint!)
    settings = { ...own, endpoint: proxy.origin }
  })
  afterEach(() => proxy.stop())

  /** Opens the objects through the proxy, without pauses between tries. */
  const open = (changed: Partial<ObjectSettings> = {}) =>
    new S3Objects({ ...settings, ...changed }, { clock: impatientClock, random: () => 0 })
  const first = (count: number, fault: ProxyFault) => {
    proxy.faultOf = (_, index) => (index < count ? fault : null)
  }
  const always = (fault: ProxyFault) => first(Number.POSITIVE_INFINITY, fault)

  /** Expects an error that names the place and contains no secret. */
  function expectUnavailable(error: unknown, reason: string | RegExp) {
    expect(error).toBeInstanceOf(DataError)
    const { code, message } = error as DataError
    expect(code).toBe('blocks_unavailable')
    expect(message).toMatch(reason)
    expect(message).toContain(`The bucket ${settings.bucket} at ${new URL(proxy.origin).host} `)
    for (const secret of [settings.secretAccessKey, settings.accessKeyId, 'Signature', 'http://']) {
      expect(message).not.toContain(secret)
    }
  }

  /** Bun itself repeats a request if a reused connection is closed without an answer. */
  const MENDED: [string, ProxyFault][] = [
    ['answers 503', SLOW_DOWN],
    ['answers 500', { kind: 'refuse', status: 500, code: 'InternalError' }],
    ['answers 429', { kind: 'refuse', status: 429, code: '' }],
    ['answers 400 for a request that it lost', { kind: 'refuse', status: 400, code: 'RequestTimeout' }],
    ['cuts the connection', { kind: 'cut' }],
    ['cuts the connection within the body', { kind: 'truncate', bytes: 10 }],
  ]

  describe.each(MENDED)('a store that %s', (_, fault) => {
    test('is read at the third try', async () => {
      first(2, fault)
      expect(await open().read(RANGE)).toEqual(EXPECTED)
      expect(proxy.requests.length).toBe(3)
    })

    test('gets no fourth request', async () => {
      always(fault)
      const reason = /: it answers (?:\d+|503 \(SlowDown\))|: the connection broke off$/
      expectUnavailable(await rejection(open().read(RANGE)), reason)
      if (fault.kind === 'cut') expect(proxy.requests.length).toBeLessThanOrEqual(6)
      else expect(proxy.requests.length).toBe(3)
    })
  })

  test('an object is stored after a second try, whichever half of the put failed', async () => {
    first(1, { kind: 'truncate', bytes: 0 })
    await open().put('again', OBJECT)
    first(2, SLOW_DOWN)
    await open().put('again', OBJECT)
    expect(await direct.read({ key: 'again', start: 0, length: OBJECT.length })).toEqual(OBJECT)
  })

  test.each<[string, ProxyFault]>([
    ['never answers', { kind: 'hang' }],
    ['stops within the body', { kind: 'stall', bytes: 10 }],
  ])('a store that %s is not waited for beyond the timeout', async (_, fault) => {
    always(fault)
    const error = await rejection(open({ timeoutMs: 300 }).read(RANGE))
    expectUnavailable(error, /no whole answer within 0\.\d+ s$/)
    expect(proxy.requests.length).toBeLessThanOrEqual(3)
  })

  test('a store that hangs once gets a second request', async () => {
    first(1, { kind: 'hang' })
    expect(await open({ timeoutMs: 2_000 }).read(RANGE)).toEqual(EXPECTED)
  })

  test('16 hanging requests do not block the others for ever', async () => {
    proxy.faultOf = ({ path }) => (path.endsWith('/hanging') ? { kind: 'hang' } : null)
    const objects = open({ timeoutMs: 2_000 })
    const hanging = Array.from({ length: 16 }, () => rejection(objects.read({ ...RANGE, key: 'hanging' })))
    expect(await objects.read(RANGE)).toEqual(EXPECTED)
    for (const error of await Promise.all(hanging)) expectUnavailable(error, 'no whole answer within')
  })

  test('no more than 16 requests are under way', async () => {
    let most = 0
    let under = 0
    const counted = async (url: string, init: RequestInit) => {
      most = Math.max(most, ++under)
      const response = await fetch(url, init)
      const bytes = await response.bytes()
      under--
      return new Response(bytes, response)
    }
    const objects = new S3Objects(settings, { fetch: counted })
    await Promise.all(Array.from({ length: 100 }, (_, index) => objects.put(`many/${index}`, OBJECT)))
    expect((await Array.fromAsync(direct.list('many/'))).length).toBe(100)
    expect(most).toBe(16)
  })

  test('whole objects are read from a store that ignores ranges', async () => {
    always({ kind: 'ignore-range' })
    expect(await open().read({ key: 'one', start: 0, length: OBJECT.length })).toEqual(OBJECT)
    expectUnavailable(await rejection(open().read(RANGE)), /it answers with another range$/)
    expect(proxy.requests.length).toBe(4)
  })

  test('an answer that is longer than allowed is refused', async () => {
    always({ kind: 'refuse', status: 200, code: 'x'.repeat(64 << 10) })
    expectUnavailable(await rejection(open().put('long', OBJECT)), /the answer is longer than 65536 bytes$/)
  })

  test('an object whose put was acknowledged and lost is reported as missing', async () => {
    first(1, { kind: 'lose' })
    await open().put('lost', OBJECT)
    expect(await rejection(open().read({ ...RANGE, key: 'lost' }))).toBeInstanceOf(ObjectGone)
  })

  test('an incomplete list is requested again, and never ends early', async () => {
    for (const key of ['list/a', 'list/b', 'list/c', 'list/d']) await direct.put(key, OBJECT.subarray(0, 1))
    proxy.faultOf = (_, index) => (index % 2 === 0 ? { kind: 'truncate', bytes: 50 } : null)
    const keys = (await Array.fromAsync(open().list('list/'))).map(({ key }) => key)
    expect(keys).toEqual(['list/a', 'list/b', 'list/c', 'list/d'])
  })

  test('a refusal names the missing right, at the first try', async () => {
    always({ kind: 'refuse', status: 403, code: 'AccessDenied' })
    const objects = open()
    expectUnavailable(await rejection(objects.read(RANGE)), /must have the right s3:GetObject$/)
    expectUnavailable(await rejection(objects.put('refused', OBJECT)), /must have the right s3:PutObject$/)
    expectUnavailable(await rejection(objects.nowMs()), /must have the right s3:ListBucket$/)
    expectUnavailable(await rejection(objects.remove(['refused'])), /must have the right s3:DeleteObject$/)
    expect(proxy.requests.length).toBe(4)
  })

  test('a page that is not an S3 answer does not count as a missing object', async () => {
    always({ kind: 'refuse', status: 404, code: '' })
    expectUnavailable(await rejection(open().read(RANGE)), /it answers 404 when asked to read objects$/)
    always({ kind: 'refuse', status: 416, code: 'InvalidRange' })
    expectUnavailable(await rejection(open().put('odd', OBJECT)), /it answers 416 \(InvalidRange\) when asked to write/)
    always({ kind: 'refuse', status: 200, code: '' })
    expectUnavailable(await rejection(open().nowMs()), /its answer is not a list of objects$/)
  })

  test('an error about a wrong region names the right one', async () => {
    always({ kind: 'refuse', status: 301, code: 'PermanentRedirect', headers: { 'x-amz-bucket-region': 'eu-west-1' } })
    expectUnavailable(await rejection(open().read(RANGE)), /not in the region us-east-1 but in eu-west-1/)
  })

  test('a store that asks for a longer wait than the time left gets no second request', async () => {
    always({ ...SLOW_DOWN, headers: { 'retry-after': '3600' } })
    expectUnavailable(await rejection(open().read(RANGE)), /it answers 503 \(SlowDown\)$/)
    expect(proxy.requests.length).toBe(1)
  })

  test('a refused connection is reported as one', async () => {
    const gone = await startFaultyProxy(proxy.origin)
    await gone.stop()
    const error = await rejection(open({ endpoint: gone.origin }).read(RANGE))
    expect(`${error}`).toMatch(/at 127\.0\.0\.1:\d+ cannot be used: the connection was refused$/)
  })
}

describe('a double of an S3-compatible store', () => {
  const double = startS3Double()
  afterAll(() => double.stop())
  suite(double.url)
})

if (S3_TEST_URL) {
  describe('an S3-compatible store', () => {
    suite(S3_TEST_URL)

    const open = async (changed: Partial<ObjectSettings>) =>
      new S3Objects({ ...(await testObjectSettings(S3_TEST_URL)), ...changed })

    test('the error names a missing bucket', async () => {
      const error = await rejection((await open({ bucket: 'no-such-bucket' })).nowMs())
      expect(`${error}`).toContain('There is no bucket no-such-bucket at 127.0.0.1')
    })

    test.each([{ secretAccessKey: 'wrong' }, { accessKeyId: 'wrong' }])('%j is refused', async (wrong) => {
      const error = await rejection((await open(wrong)).nowMs())
      expect(`${error}`).toContain('does not accept the key: it answers 403')
      expect(`${error}`).not.toContain('wrong')
    })

    test('a node whose clock is wrong by hours uses the store’s clock', async () => {
      const wallMs = () => Date.now() - 5 * 3_600_000
      const settings = await testObjectSettings(S3_TEST_URL)
      const objects = new S3Objects(settings, { clock: { ...systemClock, wallMs }, random: () => 0 })
      await objects.put('one', OBJECT)
      expect(await objects.read(RANGE)).toEqual(EXPECTED)
      expect(Math.abs((await objects.nowMs()) - Date.now())).toBeLessThan(60_000)
    })
  })
} else describe.skip(`an S3-compatible store: ${S3_SKIPPED}`, () => suite(''))
