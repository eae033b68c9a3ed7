// The documentation that a server serves: GET /docs (a page to try the endpoints), /docs/json (the OpenAPI document),
// /docs/backbook.d.ts (types for TypeScript), /docs/….md (the guide) and /llms.txt. GET / redirects browsers to the
// explorer and other clients to /docs, so that the URL printed at start can be opened.

import { Elysia } from 'elysia'
import { asksForHtml } from '../http/answers/asks-for-html.ts'
import { fixedAnswer } from '../http/answers/fixed-answer.ts'
import { openApiDocument } from '../openapi/document.ts'
import { VERSION } from '../version.ts'
import { guideRoutes } from './docs-guide.ts'
import { pageRoutes } from './docs-page.ts'
import { servedTexts } from './served-texts.ts'

type Routes = Elysia['routes']

const hidden = { detail: { hide: true } } as const

/** `routes` is called at first use, because its result includes these routes. */
export function docsRoutes(routes: () => Routes) {
  const texts = servedTexts()
  const document = fixedAnswer({
    type: 'application/json',
    make: () => JSON.stringify(openApiDocument(routes())),
  })
  const types = fixedAnswer({ type: 'text/plain; charset=utf-8', make: () => texts['src/client/backbook.d.ts']! })
  const llms = fixedAnswer({
    type: 'text/plain; charset=utf-8',
    make: () => texts['docs/llms.txt']!.replace('{version}', VERSION),
  })
  return new Elysia()
    .use(pageRoutes())
    .use(guideRoutes())
    .get('/', ({ request }) => firstPage(request), hidden)
    .get('/docs/json', ({ request }) => document(request), hidden)
    .get('/openapi.json', ({ request }) => document(request), hidden)
    .get('/docs/backbook.d.ts', ({ request }) => types(request), hidden)
    .get('/llms.txt', ({ request }) => llms(request), hidden)
}

function firstPage(request: Request): Response {
  const location = asksForHtml(request) ? '/explore' : '/docs'
  return new Response(null, { status: 302, headers: { location, vary: 'accept' } })
}
