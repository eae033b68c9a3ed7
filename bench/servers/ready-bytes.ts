// Serves prepared bytes: no server can send them at a lower cost. `bun ready-bytes.ts FILE…` answers /0 with the first
// file, /1 with the second, and so on.

import { readFileSync } from 'node:fs'

const bodies = process.argv.slice(2).map((file) => readFileSync(file))
const headers = { 'content-type': 'application/json' }
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request) {
    const body = bodies[Number(new URL(request.url).pathname.slice(1))]
    return body === undefined ? new Response('not here', { status: 404 }) : new Response(body, { headers })
  },
})
process.stdout.write(`listening on http://127.0.0.1:${server.port}\n`)
