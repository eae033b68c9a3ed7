// GET /explore and the paths below it, and /status: the page that shows what is stored. The page is public and holds no
// data: it asks the API for that, with the reader's key.

import { Elysia } from 'elysia'
import { EXPLORER_ASSETS, EXPLORER_PAGE, type ExplorerFile } from '../explorer/explorer-file.ts'
import { explorerFiles } from '../explorer/explorer-files.ts'
import { asksForHtml } from '../http/answers/asks-for-html.ts'
import { fixedAnswer } from '../http/answers/fixed-answer.ts'
import { nothingAt } from '../http/problem/problem.ts'
import { pathOf } from '../http/server/request-path.ts'

/** The page names the other files: an older one would name those of another version. */
const ASKED_AGAIN = { 'cache-control': 'no-cache' }

type Answer = (request: Request) => Promise<Response>

const PAGES = [
  '/explore',
  '/explore/compare',
  '/explore/keys',
  '/explore/kalshi',
  '/explore/polymarket',
  '/explore/:venue/:market',
  '/explore/event/:venue/:event',
  '/status',
]
const hidden = { detail: { hide: true } } as const

/** `files` is called when one is first asked for. */
export function explorerRoutes(files: () => Promise<ExplorerFile[]> = explorerFiles) {
  let making: Promise<Map<string, Answer>> | undefined
  const answer = async (name: string, request: Request) => {
    making ??= files().then(answersOf)
    making.catch(() => {
      making = undefined
    })
    const found = (await making).get(name)
    if (found === undefined) throw nothingAt(pathOf(request.url))
    return found(request)
  }
  const routes = new Elysia().get(
    `${EXPLORER_ASSETS}:name`,
    ({ params, request }) => answer(params.name, request),
    hidden,
  )
  // Whoever follows a wrong link in a browser is led on from there.
  routes.get(
    '/explore/*',
    async ({ request }) => {
      if (!asksForHtml(request)) throw nothingAt(pathOf(request.url))
      const { body, headers } = await answer(EXPLORER_PAGE, new Request(request.url))
      return new Response(body, { status: 404, headers })
    },
    hidden,
  )
  for (const page of PAGES) routes.get(page, ({ request }) => answer(EXPLORER_PAGE, request), hidden)
  return routes as unknown as Elysia
}

const answersOf = (files: readonly ExplorerFile[]) =>
  new Map(
    files.map(({ name, type, text }) => {
      if (name === EXPLORER_PAGE) return [name, fixedAnswer({ type, headers: ASKED_AGAIN, make: () => text })] as const
      return [name, fixedAnswer({ type, isImmutable: true, make: () => text })] as const
    }),
  )
