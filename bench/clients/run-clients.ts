// Runs clients in processes of their own.

import { fileURLToPath } from 'node:url'
import type { AskingPlan, AskingReport } from './asking-clients.ts'
import type { StreamingPlan, StreamingReport } from './streaming-clients.ts'

const STREAMING = fileURLToPath(new URL('streaming-clients.ts', import.meta.url))
const ASKING = fileURLToPath(new URL('asking-clients.ts', import.meta.url))

/** Runs `work` while clients stream. The clients have begun to stream before `work` begins, and are stopped after
 *  it. */
export async function besideClients(plan: StreamingPlan, work: () => Promise<void>): Promise<StreamingReport> {
  const child = Bun.spawn([process.execPath, STREAMING], { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' })
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

/** Runs clients that send requests as fast as they are answered, until all paths are requested or the time is over. */
export async function askAll(plan: AskingPlan): Promise<AskingReport> {
  const child = Bun.spawn([process.execPath, ASKING], { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' })
  child.stdin.write(JSON.stringify(plan))
  await child.stdin.end()
  const report = JSON.parse(await new Response(child.stdout).text()) as AskingReport
  if (report.failed !== null) throw new Error(`a client was answered: ${report.failed}`)
  return report
}
