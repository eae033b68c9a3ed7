// A proxy between a client and an HTTP server that imitates the worst faults of networks and servers: one fault for
// each request that a test chooses.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ProxyFault =
  /** Sends an error response with this code in XML. */
  | { kind: 'refuse'; status: number; code: string; headers?: Record<string, string> }
  /** Closes the connection without an answer. */
  | { kind: 'cut' }
  /** Never answers. */
  | { kind: 'hang' }
  /** Answers, and stalls for ever after this many bytes of the body. */
  | { kind: 'stall'; bytes: number }
  /** Closes the connection after this many bytes of the body. */
  | { kind: 'truncate'; bytes: number }
  /** Forwards the request after a delay. */
  | { kind: 'delay'; ms: number }
  /** Requests the whole object and answers with it. */
  | { kind: 'ignore-range' }
  /** Acknowledges the request without forwarding it. */
  | { kind: 'lose' }
  /** Changes a byte in the middle of the body. */
  | { kind: 'damage' }

export type ProxiedRequest = { method: string; path: string; headers: Headers; body: Uint8Array }

export type FaultyProxy = {
  /** The origin of the proxy, to use instead of the server's. */
  origin: string
  /** All requests, in order of arrival. */
  requests: ProxiedRequest[]
  /** Returns the fault of a request; null forwards it unchanged. Called once for each request. Tests set their own
   *  function. */
  faultOf: (request: ProxiedRequest, index: number) => ProxyFault | null
  /** Stops: new connections are refused. */
  stop(): Promise<void>
}

/** `server` is an address such as http://127.0.0.1:7480. */
export async function startFaultyProxy(server: string): Promise<FaultyProxy> {
  const state: Pick<FaultyProxy, 'requests' | 'faultOf'> = { requests: [], faultOf: () => null }
  const http = createServer((incoming, outgoing) => {
    proxied(incoming)
      .then(async (request) => {
        const fault = state.faultOf(request, state.requests.push(request) - 1)
        await answer(server, request, fault, outgoing)
      })
      .catch(() => outgoing.socket?.destroy())
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const stop = async () => {
    const closed = new Promise((resolve) => http.close(resolve))
    http.closeAllConnections()
    await closed
  }
  return Object.assign(state, { origin: `http://127.0.0.1:${port}`, stop })
}

async function proxied(incoming: IncomingMessage): Promise<ProxiedRequest> {
  const pieces: Uint8Array[] = []
  for await (const piece of incoming) pieces.push(piece)
  const headers = new Headers(incoming.headers as Record<string, string>)
  return { method: incoming.method!, path: incoming.url!, headers, body: Buffer.concat(pieces) }
}

async function answer(server: string, request: ProxiedRequest, fault: ProxyFault | null, outgoing: ServerResponse) {
  if (fault?.kind === 'hang') return
  if (fault?.kind === 'cut') return outgoing.socket?.destroy()
  if (fault?.kind === 'lose') return outgoing.end()
  if (fault?.kind === 'refuse') {
    return outgoing.writeHead(fault.status, fault.headers).end(`<Error><Code>${fault.code}</Code></Error>`)
  }
  if (fault?.kind === 'delay') await Bun.sleep(fault.ms)

  const { status, headers, body } = await passOn(server, request, fault)
  if (fault?.kind === 'damage') body[body.length >> 1]! ^= 1
  outgoing.writeHead(status, { ...headers, 'content-length': body.length })
  if (fault?.kind !== 'truncate' && fault?.kind !== 'stall') return outgoing.end(body)
  outgoing.write(body.subarray(0, fault.bytes), () => {
    if (fault.kind === 'truncate') outgoing.socket?.destroy()
  })
}

/** Forwards a request. Keeps the host that the client named, because the signature covers it. */
async function passOn(server: string, { method, path, headers, body }: ProxiedRequest, fault: ProxyFault | null) {
  const sent = new Headers(headers)
  for (const name of ['connection', 'transfer-encoding', 'content-length']) sent.delete(name)
  if (fault?.kind === 'ignore-range') sent.delete('range')
  const hasBody = method === 'PUT' || method === 'POST'
  const init: RequestInit = { method, headers: sent, redirect: 'manual', ...(hasBody && { body }) }
  const response = await fetch(`${server}${path}`, init)
  const answered = Object.fromEntries(response.headers)
  for (const name of ['connection', 'keep-alive', 'transfer-encoding']) delete answered[name]
  return { status: response.status, headers: answered, body: await response.bytes() }
}
