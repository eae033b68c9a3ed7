// Runs clients in a process of their own: `bun asking-clients.ts` with a plan as JSON on its standard input. Each
// client sends its next request as soon as it has an answer. To leave the processors to the server, a client only
// looks for the end of each answer. Prints a report as JSON.

import { connect } from 'node:net'

export type AskingPlan = {
  url: string
  authorization: string
  /** Each path is requested once; the clients take them in turn. */
  paths: string[]
  clientCount: number
  seconds: number
  /** Wait of each client after an answer, ms; no wait by default. */
  everyMs?: number
}

export type AskingReport = {
  answers: number
  bytes: number
  seconds: number
  cpuSeconds: number
  failed: string | null
}

const HEAD_END = Buffer.from('\r\n\r\n')
const CHUNKS_END = Buffer.from('0\r\n\r\n')

const plan = JSON.parse(await Bun.stdin.text()) as AskingPlan
const { hostname, port } = new URL(plan.url)
const startedMs = performance.now()
const endMs = startedMs + plan.seconds * 1_000
const report: AskingReport = { answers: 0, bytes: 0, seconds: 0, cpuSeconds: 0, failed: null }
let next = 0

await Promise.all(Array.from({ length: plan.clientCount }, client))
report.seconds = (performance.now() - startedMs) / 1_000
const { user, system } = process.cpuUsage()
report.cpuSeconds = (user + system) / 1e6
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0))

function client(): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) })
    let answer = new AnswerEnd()
    const ask = () => {
      const path = plan.paths[next++]
      if (path === undefined || performance.now() >= endMs || report.failed !== null) return socket.destroy()
      const lines = [`GET ${path} HTTP/1.1`, 'Host: localhost', `Authorization: ${plan.authorization}`]
      socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    }
    socket.on('data', (bytes: Buffer) => {
      report.bytes += bytes.length
      if (!answer.isReached(bytes)) return
      if (answer.isOk) report.answers++
      else report.failed ??= answer.head
      answer = new AnswerEnd()
      if (plan.everyMs === undefined) ask()
      else setTimeout(ask, plan.everyMs)
    })
    socket.on('error', (error) => {
      report.failed ??= error.message
    })
    socket.on('close', () => resolve())
    ask()
  })
}

/** Finds the end of an answer. A chunked body must not contain line ends, because `0`, CRLF, CRLF in it would look
 *  like the end. */
class AnswerEnd {
  head = ''
  #isHead = true
  #left = Number.NaN
  #tail: Buffer = Buffer.alloc(0)

  get isOk(): boolean {
    return this.head.startsWith('HTTP/1.1 200')
  }

  isReached(bytes: Buffer): boolean {
    let body = bytes
    if (this.#isHead) {
      const received = Buffer.concat([this.#tail, bytes])
      const end = received.indexOf(HEAD_END)
      this.#tail = received
      if (end < 0) return false
      this.#isHead = false
      this.head = received.subarray(0, end).toString()
      this.#left = Number(/\r\ncontent-length: *(\d+)/i.exec(this.head)?.[1] ?? Number.NaN)
      body = received.subarray(end + HEAD_END.length)
      this.#tail = body
    }
    if (!Number.isNaN(this.#left)) {
      this.#left -= body.length
      return this.#left === 0
    }
    this.#tail = body.length >= CHUNKS_END.length ? body : Buffer.concat([this.#tail, body])
    this.#tail = this.#tail.subarray(-CHUNKS_END.length)
    return this.#tail.equals(CHUNKS_END)
  }
}
