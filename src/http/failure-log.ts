// Where unexpected failures are told: one JSON line on stderr, with the request id that the client was given.

export type LogFailure = (requestId: string, request: Request, error: unknown) => void

/** The query is left out: it may hold what a client would not want in a log. */
export const logFailure: LogFailure = (requestId, request, error) => {
  const { pathname } = new URL(request.url)
  const text = error instanceof Error ? Bun.inspect(error, { colors: false }) : String(error)
  const line = { time: new Date().toISOString(), level: 'error', request_id: requestId, method: request.method }
  console.error(JSON.stringify({ ...line, path: pathname, error: text }))
}
