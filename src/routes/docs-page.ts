// GET /docs: Swagger UI for the OpenAPI document. All assets come from this server, so the page works without internet
// access. The page has no inline script, so page-headers.ts can forbid inline scripts. The URLs of the assets contain
// the version of Swagger UI, so browsers can cache the assets.

import { Elysia } from 'elysia'
import swaggerStyle from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' }
import swaggerScript from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' }
import packageFile from '../../package.json' with { type: 'json' }
import { fixedAnswer } from '../http/answers/fixed-answer.ts'

const ASSETS = `/docs/assets/${packageFile.dependencies['swagger-ui-dist']}`

export const ICON_LINK = `<link rel="icon" type="image/svg+xml" href="${ASSETS}/icon.svg">`
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#16324f"/>
<path d="M6 22h8v4H6zM6 14h6v4H6zM6 6h4v4H6z" fill="#5fd38d"/><path d="M18 6h8v4h-8zM20 14h6v4h-6zM22 22h4v4h-4z" fill="#ff8a70"/></svg>`

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>backbook API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
${ICON_LINK}
<link rel="stylesheet" href="${ASSETS}/swagger-ui.css">
</head>
<body>
<noscript><p>This page needs JavaScript. Without it: <a href="/docs/api.md">every endpoint as text</a>,
<a href="/docs/json">the OpenAPI document</a>.</p></noscript>
<div id="page"></div>
<script src="${ASSETS}/swagger-ui-bundle.js"></script>
<script src="${ASSETS}/start.js"></script>
</body>
</html>
`

/** Syntax highlighting is off: for answers above a few hundred KB it takes a browser longer than everything else. */
const START = `SwaggerUIBundle({
  url: '/docs/json',
  dom_id: '#page',
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  filter: true,
  syntaxHighlight: false,
  validatorUrl: null,
})
`

const hidden = { detail: { hide: true } } as const

export function pageRoutes() {
  const page = fixedAnswer({ type: 'text/html; charset=utf-8', make: () => PAGE })
  const routes = new Elysia().get('/docs', ({ request }) => page(request), hidden)
  for (const [name, type, make] of assets) {
    const asset = fixedAnswer({ type, isImmutable: true, make })
    routes.get(`${ASSETS}/${name}`, ({ request }) => asset(request), hidden)
  }
  return routes
}

const assets = [
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8', () => Bun.file(swaggerScript).bytes()],
  ['swagger-ui.css', 'text/css; charset=utf-8', () => Bun.file(swaggerStyle).bytes()],
  ['start.js', 'text/javascript; charset=utf-8', () => START],
  ['icon.svg', 'image/svg+xml', () => ICON],
] as const
