// Runs streaming clients beside something else: they are streaming when `work` begins, and are ended after it.

import { fileURLToPath } from 'node:url'
import type { StreamingPlan, StreamingReport } from './streaming-clients.ts'

const SCRIPT = fileURLToPath(new URL('streaming-clients.ts', import.meta.url))

export async function besideClients(plan: StreamingPlan, work: () => Promise<void>): Promise<StreamingReport> {
  const child = Bun.spawn([process.execPath, SCRIPT], { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' })
  child.stdin.write(JSON.stringify(plan))
  await child.stdin.flush()
  const reader = child.stdout.getReader()
  const decoder = new TextDecoder()
  let printed = ''
  const readUntil = async (isEnough: () => boolean) => {
    while (!isEnough()) {
      const { done, value } = await reader.read()
      if (done) return
      printed += decoder.decode(value)
    }
  }
  await readUntil(() => printed.includes('streaming\n'))
  if (!printed.includes('streaming\n')) throw new Error('the clients ended before they had begun')
  await work()
  await child.stdin.end()
  await readUntil(() => false)
  return JSON.parse(printed.slice(printed.indexOf('\n') + 1)) as StreamingReport
}
