// Objects of a cluster over a network with many faults. Every call gets the correct answer or fails in time with an
// error, and a repeated call completes it. Each round uses one of the stores of `startStores`.

import { ObjectGone, ObjectTooShort } from '../../../storage/cluster/objects/objects.ts'
import { S3Objects } from '../../../storage/cluster/objects/s3-objects.ts'
import { DataError } from '../../../storage/failures.ts'
import { Random } from '../../../workers/synthetic/random.ts'
import { type ProxiedRequest, type ProxyFault, startFaultyProxy } from '../../support/cluster/faulty-proxy.ts'
import { testObjectSettings } from '../../support/cluster/s3-server.ts'
import type { Round, Tally, TortureTopic } from '../topic.ts'
import { type S3Store, startStores } from './cluster/stores.ts'

const TIMEOUT_MS = 500
/** Extra time, because this machine may be busy. A call that hangs takes longer than this. */
const ROOM_MS = 20_000
const WRITERS = 8
const STEPS = 40
const OBJECT_BYTES_MAX = 50_000
const FAULTS_SHARE = 0.25

export const topic: TortureTopic = {
  title: 'objects behind a faulty network: right, or refused aloud and in time',
  smokeRounds: 1,
  smokeTally: [
    ...['put', 'lost, and found to be', 'range read', 'too short', 'listed', 'removed', 'refused aloud'],
    ...['refuse', 'cut', 'hang', 'stall', 'truncate', 'delay', 'ignore-range', 'lose'].map((kind) => `fault: ${kind}`),
  ],

  async prepare({ isSmoke }) {
    const stores = await startStores(isSmoke)
    const proxied = await Promise.all(stores.all.map(behindProxy))
    let rounds = 0
    return {
      async round({ random, tally }: Round) {
        const { name, proxy, objects, direct } = random.pick(proxied)
        tally.add(`on ${name}`)
        proxy.requests.length = 0
        const folder = `round-${rounds++}`
        // A put that timed out is not cancelled: it may take effect after a later one.
        const puts = (key: string) =>
          proxy.requests.filter(({ method, path }) => method === 'PUT' && path.endsWith(`/${key}`)).length
        const mayComeLate = (key: string) => puts(key) > 1
        const writers = Array.from(
          { length: WRITERS },
          (_, index) => new Writer(objects, `${folder}/${index}/`, mayComeLate, tally),
        )
        // Forces a fault that random rounds sometimes leave out.
        proxy.faultOf = () => ({ kind: 'refuse', status: 503, code: 'SlowDown' })
        await writers[0]!.list()
        let losses = 0
        proxy.faultOf = ({ method }) => (method === 'PUT' && losses++ === 0 ? { kind: 'lose' } : null)
        await writers[0]!.put(random)
        proxy.faultOf = (request) => faultOf(request, random, tally)
        await Promise.all(writers.map((writer) => writer.work(new Random(random.uint32(), 'writer'))))
        for (const writer of writers) await writer.checkAll(direct)
      },
      async close() {
        for (const { proxy } of proxied) await proxy.stop()
        await stores.stop()
      },
    }
  },
}

async function behindProxy({ name, url }: S3Store) {
  const settings = await testObjectSettings(url)
  const proxy = await startFaultyProxy(settings.endpoint!)
  const objects = new S3Objects({ ...settings, endpoint: proxy.origin, timeoutMs: TIMEOUT_MS })
  return { name, proxy, objects, direct: new S3Objects(settings) }
}

function faultOf({ method }: ProxiedRequest, random: Random, tally: Tally): ProxyFault | null {
  if (!random.chance(method === 'PUT' ? 2 * FAULTS_SHARE : FAULTS_SHARE)) return null
  const fault = random.pick<ProxyFault>([
    { kind: 'refuse', status: random.pick([500, 502, 503]), code: random.pick(['SlowDown', 'InternalError', '']) },
    { kind: 'cut' },
    { kind: 'hang' },
    { kind: 'stall', bytes: random.below(100) },
    { kind: 'truncate', bytes: random.below(100) },
    { kind: 'delay', ms: random.below(2 * TIMEOUT_MS) },
    { kind: 'ignore-range' },
    method === 'PUT' ? { kind: 'lose' } : { kind: 'truncate', bytes: 0 },
  ])
  tally.add(`fault: ${fault.kind}`)
  return fault
}

/** Makes calls to its own objects, one after the other, and knows what each object must hold. */
class Writer {
  readonly #objects: S3Objects
  readonly #prefix: string
  readonly #mayComeLate: (key: string) => boolean
  readonly #tally: Tally
  /** The content of acknowledged objects. */
  readonly #stored = new Map<string, Uint8Array>()
  readonly #removed = new Set<string>()
  #count = 0

  constructor(objects: S3Objects, prefix: string, mayComeLate: (key: string) => boolean, tally: Tally) {
    this.#objects = objects
    this.#prefix = prefix
    this.#mayComeLate = mayComeLate
    this.#tally = tally
  }

  async work(random: Random): Promise<void> {
    for (let step = 0; step < STEPS; step++) {
      const does = random.pick(['put', 'put', 'read', 'read', 'read', 'list', 'remove'] as const)
      if (does === 'put') await this.put(random)
      else if (does === 'list') await this.list()
      else if (this.#stored.size > 0) {
        const key = random.pick([...this.#stored.keys()])
        if (does === 'read') await this.#read(key, random)
        else await this.#remove(key)
      }
    }
  }

  /** Checks all objects, over a network without faults. Acknowledged objects are there, and removed ones are not,
   *  unless a put came late. */
  async checkAll(direct: S3Objects): Promise<void> {
    const listed = new Map<string, number>()
    for await (const { key, bytes } of direct.list(this.#prefix)) listed.set(key, bytes)
    for (const [key, bytes] of this.#stored) {
      expect(listed.get(key) === bytes.length, `${key} is not listed as it is`)
      if (bytes.length === 0) continue
      const read = await direct.read({ key, start: 0, length: bytes.length })
      expect(Buffer.compare(read, bytes) === 0, `${key} has other bytes`)
    }
    this.#expectListed([...listed.keys()])
  }

  async put(random: Random): Promise<void> {
    const bytes = Uint8Array.from({ length: random.below(OBJECT_BYTES_MAX) }, () => random.uint32())
    const key = `${this.#prefix}${this.#count++}`
    await this.#again('put', () => this.#objects.put(key, bytes))
    // The store may still lose an object that it has acknowledged.
    while (!(await this.#isStored(key, bytes))) {
      this.#tally.add('lost, and found to be')
      await this.#again('put', () => this.#objects.put(key, bytes))
    }
    this.#stored.set(key, bytes)
    this.#tally.add('put')
  }

  async #isStored(key: string, bytes: Uint8Array): Promise<boolean> {
    const length = Math.max(1, bytes.length)
    const read = await this.#again('find', () => this.#objects.read({ key, start: 0, length })).catch((error) => error)
    if (read instanceof ObjectGone) return false
    if (read instanceof ObjectTooShort && bytes.length === 0) return true
    if (!(read instanceof Uint8Array)) throw read
    expect(Buffer.compare(read, bytes) === 0, `${key} has other bytes`)
    return true
  }

  async #read(key: string, random: Random): Promise<void> {
    const bytes = this.#stored.get(key)!
    const start = random.below(bytes.length + 2)
    const length = 1 + random.below(bytes.length + 2)
    const read = await this.#once(() => this.#objects.read({ key, start, length }))
    if (read === null) return
    const fits = start + length <= bytes.length
    if (read instanceof ObjectTooShort && !fits) this.#tally.add('too short')
    else {
      expect(fits && read instanceof Uint8Array, `${key} from ${start}, ${length} bytes: ${read}`)
      expect(Buffer.compare(read as Uint8Array, bytes.subarray(start, start + length)) === 0, `${key} has other bytes`)
      this.#tally.add('range read')
    }
  }

  async list(): Promise<void> {
    const listed = await this.#once(() => Array.fromAsync(this.#objects.list(this.#prefix)))
    if (listed === null) return
    expect(!(listed instanceof Error), `${listed}`)
    this.#expectListed((listed as { key: string }[]).map(({ key }) => key))
    this.#tally.add('listed')
  }

  #expectListed(keys: readonly string[]): void {
    const late = keys.filter((key) => this.#removed.has(key) && this.#mayComeLate(key))
    this.#tally.add('put that came late', late.length)
    const expected = [...this.#stored.keys(), ...late].sort()
    expect(keys.join() === expected.join(), `${keys} are listed in place of ${expected}`)
  }

  async #remove(key: string): Promise<void> {
    await this.#again('remove', () => this.#objects.remove([key]))
    this.#stored.delete(key)
    this.#removed.add(key)
    this.#tally.add('removed')
  }

  /** Repeats a call until it is no longer refused. */
  async #again<T>(what: string, task: () => Promise<T>): Promise<T> {
    for (;;) {
      const outcome = await this.#once(task)
      if (outcome === null) this.#tally.add(`${what} again`)
      else if (outcome instanceof Error) throw outcome
      else return outcome
    }
  }

  /** Makes a call once. Returns null if the call was refused in time and with an error. An error about the object
   *  itself is returned as an answer. */
  async #once<T>(task: () => Promise<T>): Promise<T | ObjectGone | ObjectTooShort | null> {
    const startMs = performance.now()
    const outcome = await task().catch((error: unknown) => error as Error)
    const tookMs = performance.now() - startMs
    expect(tookMs < 3 * TIMEOUT_MS + ROOM_MS, `took ${tookMs} ms`)
    if (!(outcome instanceof Error)) return outcome
    if (outcome instanceof ObjectGone || outcome instanceof ObjectTooShort) return outcome
    expect(outcome instanceof DataError && outcome.code === 'blocks_unavailable', `${outcome}`)
    this.#tally.add('refused aloud')
    return null
  }
}

function expect(holds: boolean, broken: string): void {
  if (!holds) throw new Error(broken)
}
