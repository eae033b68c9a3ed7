// Runs replay clients in a process of their own. Reads a plan as JSON from standard input, and prints a report when
// all clients have ended, or after `stopMs`.

import { connect } from 'node:net'

export type ReplayPlan = {
  host: string
  port: number
  authorization: string
  clients: ReplayClientPlan[]
  /** Time after which the run ends, ms; null to wait until the server has closed all connections. */
  stopMs: number | null
}

export type ReplayClientPlan = {
  path: string
  subscribe: object
  /** Bytes to read per second; null to read as fast as possible. */
  bytesPerSecond: number | null
  /** Requests stamps, and reports how much later each message came than the least delayed one. */
  isTimed: boolean
}

export type ReplayReport = {
  /** Number of messages that the fast clients received in all. A fast client has no `bytesPerSecond`. */
  messages: number
  fastBytes: number
  slowBytes: number
  /** Time until the connection of the last fast client closed, ms. */
  ms: number
  /** Number of connections that closed before the end of the run. A fast client counts only if its close code was
   *  not 1000; a slow client always counts. */
  failedCount: number
  /** Lateness of the messages of timed clients, sorted. */
  lateMs: number[]
}

const PACE_MS = 50

const plan = JSON.parse(await new Response(Bun.stdin.stream()).text()) as ReplayPlan
const report: ReplayReport = { messages: 0, fastBytes: 0, slowBytes: 0, ms: 0, failedCount: 0, lateMs: [] }
const startMs = performance.now()
const ends = plan.clients.map((client) => (client.bytesPerSecond === null ? readFast(client) : readSlowly(client)))
const stopped = plan.stopMs === null ? new Promise<void>(() => undefined) : Bun.sleep(plan.stopMs)
await Promise.race([Promise.all(ends), stopped])
report.ms ||= performance.now() - startMs
report.lateMs.sort((a, b) => a - b)
process.stdout.write(JSON.stringify(report))
process.exit(0)

function readFast({ path, subscribe, isTimed }: ReplayClientPlan): Promise<void> {
  const headers = { authorization: plan.authorization }
  const protocols = isTimed ? ['backbook-stamped'] : []
  const socket = new WebSocket(`ws://${plan.host}:${plan.port}${path}`, { headers, protocols } as never)
  socket.onopen = () => socket.send(JSON.stringify(subscribe))
  const offsets: number[] = []
  socket.onmessage = ({ data }) => {
    report.messages++
    report.fastBytes += (data as string).length
    if (isTimed) offsets.push(performance.now() - Number((data as string).slice(0, (data as string).indexOf(' '))))
  }
  return new Promise((resolve) => {
    socket.onclose = ({ code }) => {
      if (code !== 1000) report.failedCount++
      report.ms = performance.now() - startMs
      // The first messages answer the subscription and have no event times of their own.
      const played = offsets.slice(10)
      const earliest = Math.min(...played)
      report.lateMs.push(...played.map((offset) => offset - earliest))
      resolve()
    }
  })
}

/** Reads at `bytesPerSecond`. Uses a plain socket: the runtime's WebSocket would read ahead. */
function readSlowly({ path, subscribe, bytesPerSecond }: ReplayClientPlan): Promise<void> {
  const socket = connect(plan.port, plan.host)
  const head = [
    ...[`GET ${path} HTTP/1.1`, `Host: ${plan.host}`, `Authorization: ${plan.authorization}`, 'Upgrade: websocket'],
    ...['Connection: Upgrade', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='],
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(textFrame(JSON.stringify(subscribe)))
  let room = 0
  socket.on('data', (bytes) => {
    report.slowBytes += bytes.length
    room -= bytes.length
    if (room <= 0) socket.pause()
  })
  const timer = setInterval(() => {
    room = Math.min(room, 0) + (bytesPerSecond! * PACE_MS) / 1_000
    if (room > 0) socket.resume()
  }, PACE_MS)
  return new Promise((resolve) => {
    socket.on('close', () => {
      clearInterval(timer)
      report.failedCount++
      resolve()
    })
  })
}

/** Encodes a text frame, masked with zeros, which the protocol allows. */
function textFrame(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  const length = bytes.length < 126 ? [0x80 | bytes.length] : [0x80 | 126, bytes.length >> 8, bytes.length & 0xff]
  return Buffer.concat([Buffer.from([0x81, ...length, 0, 0, 0, 0]), bytes])
}
