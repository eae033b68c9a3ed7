// The server that is mirrored: its answers, asked for again where it is busy.

/** `reason` is a sentence for the operator. */
export class MirrorError extends Error {
  override readonly name = 'MirrorError'
}

export type RemoteParts = {
  /** http://HOST:PORT, with a path before /kalshi where there is one. */
  url: string
  /** Null where none is needed. */
  key: string | null
  fetch?: (request: Request) => Promise<Response>
  sleep?: (ms: number) => Promise<void>
}

const TRIES = 6
const WAIT_SECONDS_MAX = 60

export class RemoteServer {
  readonly #parts: RemoteParts

  constructor(parts: RemoteParts) {
    this.#parts = parts
  }

  /** Rejects with MirrorError where the answer is not 2xx. */
  async json(path: string): Promise<unknown> {
    const response = await this.get(path)
    if (!response.ok) throw await refusal(response, path)
    return response.json().catch(() => {
      throw new MirrorError(`${path} of the server is no JSON: is this a server of backbook?`)
    })
  }

  /** An answer that is not 429 or 503, unless all tries were. A quota that is used up is not waited for. */
  async get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    const { url, key, fetch: ask = fetch, sleep = Bun.sleep } = this.#parts
    const all = { ...headers, ...(key === null ? {} : { authorization: `Bearer ${key}` }) }
    for (let tries = 1; ; tries++) {
      const response = await ask(new Request(`${url}${path}`, { headers: all, redirect: 'error' })).catch(unreachable)
      const seconds = Number(response.headers.get('retry-after') ?? 1)
      const isBusy = response.status === 429 || response.status === 503
      if (!isBusy || tries === TRIES || !(seconds <= WAIT_SECONDS_MAX) || (await isUsedUp(response))) return response
      await response.body?.cancel()
      await sleep(Math.max(1, seconds) * 1_000)
    }
  }
}

async function isUsedUp(response: Response): Promise<boolean> {
  if (response.status !== 429) return false
  const problem = (await response
    .clone()
    .json()
    .catch(() => ({}))) as { code?: unknown }
  return problem.code === 'quota_exceeded'
}

function unreachable(error: unknown): never {
  throw new MirrorError(`the server does not answer: ${(error as Error).message}`)
}

/** With the words of the server. */
export async function refusal(response: Response, path: string): Promise<MirrorError> {
  const problem = (await response.json().catch(() => ({}))) as { detail?: unknown }
  const words = typeof problem.detail === 'string' ? `: ${problem.detail}` : ''
  return new MirrorError(`${path} is answered with ${response.status}${words}`)
}
