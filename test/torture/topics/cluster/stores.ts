// S3-compatible stores of different vendors: the one in S3_TEST_URL, or those that `.ci/with-ceph` and `.ci/with-swift`
// start. Without these, a double in this process.

import { join } from 'node:path'
import { startS3Double } from '../../../support/cluster/s3-double.ts'
import { S3_TEST_URL } from '../../../support/cluster/s3-server.ts'

const SCRIPTS = join(import.meta.dir, '../../../../.ci')
const STORE_SCRIPTS = [
  { name: 'Ceph', program: 'radosgw', script: 'with-ceph' },
  { name: 'Swift', program: 'swift-proxy-server', script: 'with-swift' },
]

/** A store. Its address is http://ACCESS_KEY:SECRET@HOST:PORT. */
export type S3Store = { name: string; url: string }
export type Stores = { all: S3Store[]; stop(): Promise<void> }
type Started = S3Store & { stop(): Promise<void> }

/** Starts the stores. The smoke starts no third-party program. */
export async function startStores(isSmoke: boolean): Promise<Stores> {
  if (S3_TEST_URL !== '') return { all: [{ name: 'the store of S3_TEST_URL', url: S3_TEST_URL }], stop: async () => {} }
  const started = isSmoke ? [] : await Promise.all(STORE_SCRIPTS.map(start))
  const all = started.filter((store) => store !== undefined)
  if (all.length > 0) return { all, stop: async () => void (await Promise.all(all.map(({ stop }) => stop()))) }
  const double = startS3Double()
  return { all: [{ name: 'a double of S3', url: double.url }], stop: () => double.stop() }
}

/** Starts a store, which runs until its script's stdin closes. If it does not start, prints why and returns
 *  undefined. */
async function start({ name, program, script }: (typeof STORE_SCRIPTS)[number]): Promise<Started | undefined> {
  if (Bun.which(program) === null) {
    console.log(`without ${name}, which is not installed: .ci/${script} does that`)
    return undefined
  }
  const command = [join(SCRIPTS, script), 'sh', '-c', 'echo "$S3_TEST_URL"; exec cat']
  // Own process group: the script outlives this process, and ends Swift's servers, which leave the group.
  const child = Bun.spawn(command, { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe', detached: true })
  const err = child.stderr.text()
  let url = ''
  for await (const bytes of child.stdout) {
    url += new TextDecoder().decode(bytes)
    if (url.includes('\n')) break
  }
  if (url === '') {
    console.log(`without ${name}: ${(await err).trim()}`)
    return undefined
  }
  return {
    name,
    url: url.trim(),
    async stop() {
      await child.stdin.end()
      await child.exited
    },
  }
}
