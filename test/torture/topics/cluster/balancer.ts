// Runs haproxy with the settings of deploy/cluster/haproxy.cfg. Only the addresses differ.

import { join } from 'node:path'
import { isPresent } from '../../../run/missing.ts'
import { freePort } from '../../../support/postgres-server.ts'

const SETTINGS = join(import.meta.dir, '../../../../deploy/cluster/haproxy.cfg')
export const HAS_HAPROXY = isPresent(Bun.which('haproxy') !== null, 'haproxy')

export type Balancer = AsyncDisposable & { port: number }

/** Starts haproxy in front of two nodes. */
export async function startBalancer(folder: string, nodes: readonly [number, number]): Promise<Balancer> {
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  let text = await Bun.file(SETTINGS).text()
  const moved: [before: string, after: string][] = [
    ['bind :8080\n', `bind 127.0.0.1:${port}\n`],
    ['10.0.0.11:8080', `127.0.0.1:${nodes[0]}`],
    ['10.0.0.12:8080', `127.0.0.1:${nodes[1]}`],
  ]
  for (const [before, after] of moved) {
    if (!text.includes(before)) throw new Error(`haproxy.cfg has no ${before}`)
    text = text.replace(before, after)
  }
  await Bun.write(file, text)
  const child = Bun.spawn(['haproxy', '-db', '-f', file], { stdout: 'ignore', stderr: 'pipe' })
  for (let tries = 0; !(await answers(port)); tries++) {
    if (child.exitCode !== null || tries === 100) throw new Error(`haproxy did not start: ${await child.stderr.text()}`)
    await Bun.sleep(50)
  }
  return {
    port,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

const answers = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/health`).then(
    ({ status }) => status !== 503,
    () => false,
  )
