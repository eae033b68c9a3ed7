// A port in front of a server. A test can cut its connections.

import { connect, createServer, type Socket } from 'node:net'

/** Forwards connections until a test drops them or discards what they send. */
export async function relayTo(url: URL) {
  const open = new Set<Socket>()
  const state = { isHole: false, isShut: false }
  const server = createServer((client) => {
    if (state.isShut) return client.destroy()
    const upstream = connect(Number(url.port), url.hostname)
    const isHole = () => state.isHole && open.has(client)
    client.on('data', (bytes) => isHole() || upstream.write(bytes))
    upstream.on('data', (bytes) => isHole() || client.write(bytes))
    for (const socket of [client, upstream]) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        client.destroy()
        upstream.destroy()
      })
    }
    if (!state.isHole) open.add(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const through = new URL(url)
  through.port = String((server.address() as { port: number }).port)
  const drop = () => {
    for (const socket of open) socket.destroy()
    open.clear()
  }
  const close = async () => {
    drop()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: through.href, state, drop, [Symbol.asyncDispose]: close }
}
