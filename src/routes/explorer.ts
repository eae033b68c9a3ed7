// GET /explore and the paths below it, and /status: the explorer page. The page is public and holds no data: it
// requests data from the API with the reader's key.

import { Elysia } from 'elysia'
import { EXPLORER_ASSETS, EXPLORER_PAGE, type ExplorerFile } from '../explorer/explorer-file.ts'
import { explorerFiles } from '../explorer/explorer-files.ts'
import { asksForHtml } from '../http/answers/asks-for-html.ts'
import { fixedAnswer } from '../http/answers/fixed-answer.ts'
import { nothingAt } from '../http/problem/problem.ts'
import { pathOf } from '../http/server/request-path.ts'

/** The page names the other files. A cached page could name the files of another version, so browsers must revalidate
 *  the page. */
const REVALIDATE = { 'cache-control': 'no-cache' }

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

/** `files` is called at first use. */
export function explorerRoutes(files: () => Promise<ExplorerFile[]> = explorerFiles) {
  let answers: Promise<Map<string, Answer>> | undefined
  const answer = async (name: string, request: Request) => {
    answers ??= files().then(answersOf)
    answers.catch(() => {
      answers = undefined
    })
    const found = (await answers).get(name)
    if (found === undefined) throw nothingAt(pathOf(request.url))
    return found(request)
  }
  const routes = new Elysia().get(
    `${EXPLORER_ASSETS}:name`,
    ({ params, request }) => answer(params.name, request),
    hidden,
  )
  // A wrong link under /explore shows the page with status 404, so that the reader can navigate from there.
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
      if (name === EXPLORER_PAGE) return [name, fixedAnswer({ type, headers: REVALIDATE, make: () => text })] as const
      return [name, fixedAnswer({ type, isImmutable: true, make: () => text })] as const
    }),
  )
