// Runs many clients that stream full days at once, in a process of their own: `bun streaming-clients.ts` with a plan as
// JSON on its standard input. Fast clients read as fast as they can, one answer after the other; the others read
// slowly. Prints `streaming` when all have begun to read, and a report as JSON when its input ends.

import { connect, type Socket } from 'node:net'

export type StreamingPlan = {
  url: string
  authorization: string
  /** Paths of the requests. The fast clients take them in turn, and so do the slow clients. */
  paths: string[]
  fastCount: number
  slowCount: number
  slowBytesPerSecond: number
}

export type StreamingReport = { fastBytes: number; slowBytes: number; finishedCount: number; failedCount: number }

const TICKS_PER_SECOND = 10
const STATUS = 'HTTP/1.1 200'

const input = Bun.stdin.stream().getReader()
const plan = JSON.parse(new TextDecoder().decode((await input.read()).value)) as StreamingPlan
const report: StreamingReport = { fastBytes: 0, slowBytes: 0, finishedCount: 0, failedCount: 0 }
const { hostname, port } = new URL(plan.url)
let isOver = false

const begun = [
  ...Array.from({ length: plan.fastCount }, (_, i) => beginFast(i)),
  ...Array.from({ length: plan.slowCount }, (_, i) => beginSlow(i)),
]
await Promise.all(begun)
process.stdout.write('streaming\n')
while (!(await input.read()).done);
isOver = true
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0))

function request(index: number): Socket {
  const path = plan.paths[index % plan.paths.length]!
  const socket = connect({ host: hostname, port: Number(port) })
  const head = [`GET ${path} HTTP/1.1`, 'Host: localhost', `Authorization: ${plan.authorization}`, 'Connection: close']
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  return socket
}

/** Starts a fast client, which sends a new request whenever one has ended. Resolves when the first bytes have
 *  arrived. */
function beginFast(index: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = request(index)
    whenBegun(socket, resolve)
    socket.on('data', (bytes: Uint8Array) => {
      report.fastBytes += bytes.length
    })
    socket.on('error', () => report.failedCount++)
    socket.on('close', () => {
      report.finishedCount++
      if (!isOver) void beginFast(index + 1)
    })
  })
}

/** Starts a slow client, which reads briefly and then waits until the bytes read are within the allowed rate. Resolves
 *  when its answer has begun. */
function beginSlow(index: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = request(index)
    const startedMs = performance.now()
    let bytesRead = 0
    whenBegun(socket, resolve)
    socket.on('data', (bytes: Uint8Array) => {
      bytesRead += bytes.length
      report.slowBytes += bytes.length
      socket.pause()
    })
    socket.on('error', () => report.failedCount++)
    const timer = setInterval(() => {
      const allowed = ((performance.now() - startedMs) / 1_000) * plan.slowBytesPerSecond
      if (bytesRead < allowed) socket.resume()
    }, 1_000 / TICKS_PER_SECOND)
    socket.on('close', () => {
      clearInterval(timer)
      report.finishedCount++
    })
  })
}

/** Calls `begun` after the status, which may arrive in pieces. */
function whenBegun(socket: Socket, begun: () => void): void {
  let head = Buffer.alloc(0)
  const take = (bytes: Uint8Array) => {
    head = Buffer.concat([head, bytes])
    if (head.length < STATUS.length) return
    socket.off('data', take)
    if (head.subarray(0, STATUS.length).toString() !== STATUS) report.failedCount++
    begun()
  }
  socket.on('data', take)
}
