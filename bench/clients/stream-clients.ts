// Runs many subscribers of one stream, in a process of their own. Reads a plan from stdin. Prints `ready` when all have
// the present state, then a line for each commit that all have received, until stdin ends.

export type StreamPlan = {
  url: string
  /** The query of the stream, channels included. */
  query: string
  authorization: string
  kind: 'websocket' | 'events'
  count: number
  /** Number of messages that a client receives for the present state. `messagesEach` is the number for each commit. */
  firstMessages: number
  messagesEach: number
}

/** Unix ms at which the first message of a commit reached any client, and the last message had reached all. */
export type StreamedCommit = { firstMs: number; lastMs: number; bytes: number }

const nowMs = () => performance.timeOrigin + performance.now()

/** Counts the messages of each client. */
class Counts {
  readonly #plan: StreamPlan
  readonly #counts: Int32Array
  /** Number of clients that have received all messages expected so far. */
  #complete = 0
  #expected: number
  #firstMs = 0
  #bytes = 0
  #isReady = false

  constructor(plan: StreamPlan) {
    this.#plan = plan
    this.#counts = new Int32Array(plan.count)
    this.#expected = plan.firstMessages
  }

  add(client: number, messages: number, bytes: number): void {
    if (messages === 0) return
    if (this.#firstMs === 0) this.#firstMs = nowMs()
    this.#bytes += bytes
    const before = this.#counts[client]!
    const now = before + messages
    this.#counts[client] = now
    if (now > this.#expected) throw new Error(`a client has ${now} messages, ${this.#expected} were committed`)
    if (before < this.#expected && now === this.#expected) this.#complete++
    if (this.#complete === this.#plan.count) this.#next()
  }

  #next(): void {
    const commit: StreamedCommit = { firstMs: this.#firstMs, lastMs: nowMs(), bytes: this.#bytes }
    process.stdout.write(this.#isReady ? `${JSON.stringify(commit)}\n` : 'ready\n')
    this.#isReady = true
    this.#complete = 0
    this.#firstMs = 0
    this.#bytes = 0
    this.#expected += this.#plan.messagesEach
  }
}

function webSocket({ url, query, authorization }: StreamPlan, add: (messages: number, bytes: number) => void): void {
  const options = { headers: { authorization } } as never
  const socket = new WebSocket(`${url.replace('http', 'ws')}/stream?${query}`, options)
  socket.onmessage = ({ data }) => add(1, (data as string).length)
  socket.onclose = ({ code }) => console.error(`a client was closed with ${code}`)
}

async function events({ url, query, authorization }: StreamPlan, add: (messages: number, bytes: number) => void) {
  const response = await fetch(`${url}/stream?${query}`, { headers: { authorization } })
  if (response.status !== 200) throw new Error(await response.text())
  const decoder = new TextDecoder('latin1')
  let rest = ''
  for await (const bytes of response.body!) {
    const parts = (rest + decoder.decode(bytes)).split('\n\n')
    rest = parts.pop()!
    add(parts.filter((part) => part.startsWith('id: ')).length, bytes.length)
  }
}

const stdin = Bun.stdin.stream().getReader()
const plan = JSON.parse(new TextDecoder().decode((await stdin.read()).value)) as StreamPlan
const counts = new Counts(plan)
for (let client = 0; client < plan.count; client++) {
  const add = (messages: number, bytes: number) => counts.add(client, messages, bytes)
  if (plan.kind === 'websocket') webSocket(plan, add)
  else void events(plan, add)
}
await stdin.read()
process.exit()
