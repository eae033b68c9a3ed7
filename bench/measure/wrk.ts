// Measures requests per second with `wrk` if it is installed: a client in JavaScript would be slower than the server.

import type { Size } from '../topic.ts'
import { type Asked, askBytes } from './http-client.ts'

const CONNECTIONS = 16
const SECONDS = 2
const SMOKE_REQUESTS = 20

const usesWrk = (size: Size) => size === 'full' && Bun.which('wrk') !== null

export const throughputClient = (size: Size): string => (usesWrk(size) ? 'wrk' : 'a client in this process')

export function requestsPerSecond(asked: Asked, path: string, size: Size): Promise<number> {
  return usesWrk(size) ? byWrk(asked, path) : byClient(asked, path, size)
}

async function byWrk({ url, headers }: Asked, path: string): Promise<number> {
  const headerFlags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const command = ['wrk', '-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, ...headerFlags, `${url}${path}`]
  const child = Bun.spawn(command, { stdout: 'pipe' })
  const printed = await new Response(child.stdout).text()
  if (printed.includes('Non-2xx')) throw new Error(`${path} was not answered with 200: ${printed}`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(printed)?.[1])
}

async function byClient(asked: Asked, path: string, size: Size): Promise<number> {
  const startMs = performance.now()
  const endMs = size === 'smoke' ? Number.POSITIVE_INFINITY : startMs + SECONDS * 1_000
  let count = 0
  const isOver = () => performance.now() >= endMs || (size === 'smoke' && count >= SMOKE_REQUESTS)
  const loop = async () => {
    for (; !isOver(); count++) await askBytes(asked, path)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, loop))
  return count / ((performance.now() - startMs) / 1_000)
}
