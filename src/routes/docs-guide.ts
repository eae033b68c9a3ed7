// GET /docs/….md: the guide of docs/ as Markdown, or as an HTML page for browsers.

import { Elysia } from 'elysia'
import { asksForHtml } from '../http/answers/asks-for-html.ts'
import { fixedAnswer } from '../http/answers/fixed-answer.ts'
import { ICON_LINK } from './docs-page.ts'
import { servedTexts } from './served-texts.ts'

const STYLE = `body{font:16px/1.55 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;font-size:.9rem;display:block;overflow-x:auto}
td,th{text-align:left;vertical-align:top;padding:.3rem .9rem .3rem 0;border-bottom:1px solid #8884}
code,pre{font:.875em ui-monospace,monospace}pre{padding:.75rem 1rem;overflow-x:auto;background:#8881;border-radius:6px}
:root{color-scheme:light dark}h1,h2,h3{line-height:1.25}`

const hidden = { detail: { hide: true } } as const

export function guideRoutes() {
  const routes = new Elysia()
  for (const [path, text] of Object.entries(servedTexts())) {
    const vary = { vary: 'accept, accept-encoding' }
    const markdown = fixedAnswer({ type: 'text/markdown; charset=utf-8', headers: vary, make: () => text })
    const page = fixedAnswer({
      type: 'text/html; charset=utf-8',
      headers: vary,
      make: () => pageOf(text),
    })
    const file = fixedAnswer({ type: 'text/plain; charset=utf-8', make: () => text })
    if (path.startsWith('deploy/')) routes.get(`/${path}`, ({ request }) => file(request), hidden)
    if (!path.endsWith('.md')) continue
    routes.get(`/${path}`, ({ request }) => (asksForHtml(request) ? page(request) : markdown(request)), hidden)
  }
  return routes
}

function pageOf(text: string): string {
  const title = text.match(/^# (.+)$/m)?.[1] ?? 'backbook'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
${ICON_LINK}
<style>${STYLE}</style>
</head>
<body>
<p><a href="/docs/README.md">Contents</a> · <a href="/docs">Try the endpoints</a></p>
${Bun.markdown.html(text, { headings: { ids: true } })}
</body>
</html>
`
}
