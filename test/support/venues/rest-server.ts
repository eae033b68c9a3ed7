// Gamma, CLOB and Kalshi's REST API in one server, with made-up data. It behaves like the venues, and misbehaves like
// them when a test says so. Gamma and CLOB are at its root, Kalshi is below /trade-api/v2.

export type MadeMarket = {
  /** 0x and 64 hex digits. */
  conditionId: string
  slug: string
  /** Empty while Gamma has not filled in the market. */
  tokens: string[]
  event?: string
  tags?: string[]
  series?: string
  volume?: number
  createdMs?: number
  /** Time at which the market was resolved, Unix ms; undefined while it is open. */
  closedMs?: number
}

export type MadeTicker = {
  ticker: string
  event: string
  series: string
  category?: string
  status?: string
  createdMs?: number
  opensMs?: number
  closesMs?: number
}

/** Returns an answer that replaces the right one; undefined keeps the right one. */
export type Fault = (url: URL, honest: () => Response) => Response | Promise<Response> | undefined

export const garbage: Fault = () =>
  new Response('<html>502</html>', { headers: { 'content-type': 'application/json' } })
export const cutOff: Fault = (_, honest) => new Response(honest().body?.pipeThrough(firstHalf()) ?? null)
export const wrongForm: Fault = () => Response.json([])
export const broken: Fault = () => new Response('no', { status: 500 })
export const tooMany =
  (retryAfter?: string): Fault =>
  () =>
    new Response('slow down', { status: 429, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } })
export const never: Fault = () => new Promise(() => undefined)
/** Returns the first page every time, with the same cursor. */
export const cursorIgnored: Fault = (url, honest) => {
  forgetCursor(url)
  return honest()
}
/** Returns the first page every time, with a new cursor. */
export function pageRepeats(): Fault {
  let count = 0
  return async (url, honest) => {
    forgetCursor(url)
    const page = (await honest().json()) as Record<string, unknown>
    return Response.json({ ...page, next_cursor: `next-${++count}`, cursor: `next-${count}` })
  }
}

function forgetCursor({ searchParams }: URL): void {
  searchParams.delete('after_cursor')
  searchParams.delete('cursor')
}

const PAGE_MAX = 100

export class RestServer {
  markets: MadeMarket[] = []
  tickers: MadeTicker[] = []
  /** The body of each book, by token or ticker. */
  readonly books = new Map<string, string>()
  /** Faults of the next requests, one each; `faultForEver` applies to all others. */
  faults: Fault[] = []
  faultForEver: Fault | undefined
  /** Received paths with queries. */
  readonly requestedPaths: string[] = []
  /** Maximum number of markets in one response of Gamma, whatever the request asks. */
  pageMax = PAGE_MAX

  /** Answers a request without a socket, like `fetch`. */
  readonly fetch = async (address: string, { signal }: { signal?: AbortSignal } = {}): Promise<Response> => {
    const gone = new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    return Promise.race([this.answer(new Request(address)), gone])
  }

  async answer(request: Request): Promise<Response> {
    const url = new URL(request.url)
    this.requestedPaths.push(url.pathname + url.search)
    const honest = () => this.#honest(url)
    const fault = this.faults.shift() ?? this.faultForEver
    return (await fault?.(url, honest)) ?? honest()
  }

  /** Starts to listen on a free port. */
  listen(): { url: string; stop(): Promise<void> } {
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => this.answer(request) })
    return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
  }

  #honest(url: URL): Response {
    const { pathname, searchParams } = url
    const kalshi = pathname.match(/^\/trade-api\/v2(\/.*)$/)?.[1]
    if (kalshi !== undefined) return this.#kalshi(kalshi, searchParams)
    if (pathname === '/markets/keyset') return this.#keyset('markets', this.#gammaMarkets(searchParams), searchParams)
    if (pathname === '/events/keyset') return this.#keyset('events', this.#gammaEvents(searchParams), searchParams)
    if (pathname === '/series') return Response.json(this.#series(searchParams.getAll('slug')))
    if (pathname === '/book') return this.#book(searchParams.get('token_id') ?? '')
    return new Response('not found', { status: 404 })
  }

  #book(name: string): Response {
    const body = this.books.get(name)
    const wrong = { error: 'No orderbook exists for the requested token id' }
    return body === undefined ? Response.json(wrong, { status: 404 }) : new Response(body)
  }

  #gammaMarkets(query: URLSearchParams): object[] {
    const isAsked = (name: string, values: string[]) => {
      return !query.has(name) || values.some((value) => query.getAll(name).includes(value))
    }
    const found = this.#byState(query).filter((market) => {
      const { conditionId, slug, tokens, volume = 0 } = market
      if (!isAsked('condition_ids', [conditionId]) || !isAsked('slug', [slug])) return false
      return isAsked('clob_token_ids', tokens) && volume >= Number(query.get('volume_num_min') ?? 0)
    })
    return ordered(found, query).map((market) => ({ ...gammaMarket(market), events: [gammaEvent(market)] }))
  }

  #gammaEvents(query: URLSearchParams): object[] {
    const [tag, series] = [query.get('tag_slug'), query.get('series_id')]
    const found = this.#byState(query).filter((market) => {
      const { event = market.slug, tags = [] } = market
      if (query.has('slug') && !query.getAll('slug').includes(event)) return false
      return (tag === null || tags.includes(tag)) && (series === null || market.series === series.replace('id-', ''))
    })
    const events = Map.groupBy(ordered(found, query), ({ event, slug }) => event ?? slug)
    return [...events.values()].map((markets) => ({ ...gammaEvent(markets[0]!), markets: markets.map(gammaMarket) }))
  }

  #byState(query: URLSearchParams): MadeMarket[] {
    const isClosed = query.get('closed') === 'true'
    return this.markets.filter(({ closedMs }) => (closedMs !== undefined) === isClosed)
  }

  #series(slugs: string[]): object[] {
    const known = new Set(this.markets.flatMap(({ series }) => series ?? []))
    return slugs.filter((slug) => known.has(slug)).map((slug) => ({ id: `id-${slug}`, slug }))
  }

  /** Returns a page of a list. Ignores the parameter `cursor` and refuses `offset`. */
  #keyset(list: string, entries: object[], query: URLSearchParams): Response {
    if (query.has('offset')) return Response.json({ error: 'offset is not supported' }, { status: 422 })
    const limit = Math.min(this.pageMax, Number(query.get('limit') ?? 20))
    return Response.json(pageOf(list, entries, { limit, cursor: query.get('after_cursor'), name: 'next_cursor' }))
  }

  #kalshi(path: string, query: URLSearchParams): Response {
    const event = path.match(/^\/events\/([^/]+)$/)?.[1]
    if (event !== undefined) return this.#kalshiEvent(decodeURIComponent(event))
    const book = path.match(/^\/markets\/([^/]+)\/orderbook$/)?.[1]
    if (book !== undefined) return this.#book(book)
    const cursor = query.get('cursor')
    if (path === '/events') {
      const limit = Math.min(200, Number(query.get('limit') ?? 100))
      const events = Map.groupBy(this.#listed(query), ({ event: each }) => each)
      const entries = [...events.values()].map((tickers) => kalshiEvent(tickers[0]!, tickers))
      return Response.json(pageOf('events', entries, { limit, cursor, name: 'cursor', end: '' }))
    }
    if (path !== '/markets') return Response.json({ error: { code: 'not_found' } }, { status: 404 })
    const limit = Math.min(1_000, Number(query.get('limit') ?? 100))
    return Response.json(
      pageOf('markets', this.#listed(query).map(kalshiMarket), { limit, cursor, name: 'cursor', end: '' }),
    )
  }

  #kalshiEvent(name: string): Response {
    const tickers = this.tickers.filter(({ event }) => event === name)
    if (tickers.length === 0) return Response.json({ error: { code: 'not_found' } }, { status: 404 })
    return Response.json({ event: kalshiEvent(tickers[0]!, tickers) })
  }

  /** Returns the listed markets. Ignores the parameter `ticker`. */
  #listed(query: URLSearchParams): MadeTicker[] {
    const number = (name: string) => Number(query.get(name) ?? 0) * 1_000
    const names = query.get('tickers')?.split(',')
    return this.tickers.filter(({ ticker, series, closesMs = Number.MAX_SAFE_INTEGER, createdMs = 0 }) => {
      if (names !== undefined && !names.includes(ticker)) return false
      if (query.has('series_ticker') && query.get('series_ticker') !== series) return false
      return closesMs >= number('min_close_ts') && createdMs >= number('min_created_ts')
    })
  }
}

function ordered(markets: MadeMarket[], query: URLSearchParams): MadeMarket[] {
  const key = query.get('order') === 'closedTime' ? 'closedMs' : 'createdMs'
  if (!query.has('order')) return markets
  const sign = query.get('ascending') === 'false' ? -1 : 1
  return markets.toSorted((a, b) => sign * ((a[key] ?? 0) - (b[key] ?? 0)))
}

type Paging = { limit: number; cursor: string | null; name: string; end?: string }

/** A cursor is a position in the list. If the list changes between two pages, an entry may appear twice, as with the
 *  venues. */
function pageOf(list: string, entries: object[], { limit, cursor, name, end }: Paging): object {
  const from = cursor === null || cursor === '' ? 0 : Number(atob(cursor))
  const next = from + limit < entries.length ? btoa(String(from + limit)) : end
  return { [list]: entries.slice(from, from + limit), ...(next === undefined ? {} : { [name]: next }) }
}

const isoOf = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString())

/** Returns a market as Gamma prints it: a list is JSON inside a text. */
const gammaMarket = ({ conditionId, slug, tokens, tags = [], volume = 0, createdMs, closedMs }: MadeMarket) => ({
  id: slug,
  conditionId,
  slug,
  question: `Is it ${slug}?`,
  outcomes: '["Yes", "No"]',
  outcomePrices: closedMs === undefined ? '["0.5", "0.5"]' : '["1", "0"]',
  clobTokenIds: tokens.length === 0 ? '' : JSON.stringify(tokens),
  enableOrderBook: true,
  active: true,
  closed: closedMs !== undefined,
  closedTime: isoOf(closedMs)?.replace('T', ' ').replace(/\..*/, '+00'),
  createdAt: isoOf(createdMs),
  orderPriceMinTickSize: 0.01,
  orderMinSize: 5,
  negRisk: false,
  volumeNum: volume,
  tags: tags.map((tag) => ({ id: `id-${tag}`, slug: tag, label: tag })),
})

const gammaEvent = ({ event, slug, tags = [], series, createdMs }: MadeMarket) => ({
  id: `event-${event ?? slug}`,
  slug: event ?? slug,
  title: `About ${event ?? slug}`,
  createdAt: isoOf(createdMs),
  tags: tags.map((tag) => ({ id: `id-${tag}`, slug: tag, label: tag })),
  ...(series === undefined ? {} : { seriesSlug: series, series: [{ id: `id-${series}`, slug: series }] }),
})

const kalshiMarket = ({ ticker, event, status = 'active', opensMs, closesMs }: MadeTicker) => ({
  ticker,
  event_ticker: event,
  market_type: 'binary',
  title: `Will ${ticker}?`,
  yes_sub_title: 'Yes',
  no_sub_title: 'No',
  status,
  open_time: isoOf(opensMs) ?? '0001-01-01T00:00:00Z',
  close_time: isoOf(closesMs) ?? '0001-01-01T00:00:00Z',
})

const kalshiEvent = ({ event, series, category = 'Crypto' }: MadeTicker, tickers: MadeTicker[]) => ({
  event_ticker: event,
  series_ticker: series,
  category,
  title: `About ${event}`,
  markets: tickers.map(kalshiMarket),
})

/** Returns a stream that ends after half of the bytes. */
function firstHalf(): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({ transform: (chunk, out) => out.enqueue(chunk.slice(0, chunk.length / 2)) })
}
