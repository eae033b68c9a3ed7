// GET /docs/….md: the guide of docs/ as Markdown, or as an HTML page for browsers.

import { Elysia } from 'elysia'
import prometheus from '../../deploy/prometheus.yml' with { type: 'text' }
import alerts from '../../deploy/prometheus-alerts.yml' with { type: 'text' }
import accounts from '../../docs/accounts.md' with { type: 'text' }
import addingAVenue from '../../docs/adding-a-venue.md' with { type: 'text' }
import api from '../../docs/api.md' with { type: 'text' }
import binary from '../../docs/binary.md' with { type: 'text' }
import books from '../../docs/books.md' with { type: 'text' }
import clients from '../../docs/clients.md' with { type: 'text' }
import cluster from '../../docs/cluster.md' with { type: 'text' }
import commands from '../../docs/commands.md' with { type: 'text' }
import explorer from '../../docs/explorer.md' with { type: 'text' }
import takeToBacktester from '../../docs/exports.md' with { type: 'text' }
import getData from '../../docs/get-data.md' with { type: 'text' }
import glossary from '../../docs/glossary.md' with { type: 'text' }
import importArchives from '../../docs/import.md' with { type: 'text' }
import limits from '../../docs/limits.md' with { type: 'text' }
import mcp from '../../docs/mcp.md' with { type: 'text' }
import monitoring from '../../docs/monitoring.md' with { type: 'text' }
import operations from '../../docs/operations.md' with { type: 'text' }
import promises from '../../docs/promises.md' with { type: 'text' }
import python from '../../docs/python.md' with { type: 'text' }
import contents from '../../docs/README.md' with { type: 'text' }
import recording from '../../docs/recording.md' with { type: 'text' }
import records from '../../docs/records.md' with { type: 'text' }
import replay from '../../docs/replay.md' with { type: 'text' }
import settings from '../../docs/settings.md' with { type: 'text' }
import sources from '../../docs/sources.md' with { type: 'text' }
import start from '../../docs/start.md' with { type: 'text' }
import stream from '../../docs/stream.md' with { type: 'text' }
import summaries from '../../docs/summaries.md' with { type: 'text' }
import timeAndOrder from '../../docs/time-and-order.md' with { type: 'text' }
import typescript from '../../docs/typescript.md' with { type: 'text' }
import { asksForHtml } from '../http/answers/asks-for-html.ts'
import { fixedAnswer } from '../http/answers/fixed-answer.ts'
import { COOKBOOK } from './cookbook-pages.ts'
import { ICON_LINK } from './docs-page.ts'

export const GUIDE: Readonly<Record<string, string>> = {
  'README.md': contents,
  'accounts.md': accounts,
  'adding-a-venue.md': addingAVenue,
  'api.md': api,
  'binary.md': binary,
  'books.md': books,
  'clients.md': clients,
  'cluster.md': cluster,
  'commands.md': commands,
  'explorer.md': explorer,
  'exports.md': takeToBacktester,
  'get-data.md': getData,
  'import.md': importArchives,
  'glossary.md': glossary,
  'limits.md': limits,
  'mcp.md': mcp,
  'monitoring.md': monitoring,
  'operations.md': operations,
  'promises.md': promises,
  'python.md': python,
  'recording.md': recording,
  'records.md': records,
  'replay.md': replay,
  'settings.md': settings,
  'sources.md': sources,
  'start.md': start,
  'stream.md': stream,
  'summaries.md': summaries,
  'time-and-order.md': timeAndOrder,
  'typescript.md': typescript,
  ...COOKBOOK,
}

/** Files outside docs/ that the guide links to. */
const FILES: Readonly<Record<string, string>> = {
  '/deploy/prometheus.yml': prometheus,
  '/deploy/prometheus-alerts.yml': alerts,
}

const STYLE = `body{font:16px/1.55 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;font-size:.9rem;display:block;overflow-x:auto}
td,th{text-align:left;vertical-align:top;padding:.3rem .9rem .3rem 0;border-bottom:1px solid #8884}
code,pre{font:.875em ui-monospace,monospace}pre{padding:.75rem 1rem;overflow-x:auto;background:#8881;border-radius:6px}
:root{color-scheme:light dark}h1,h2,h3{line-height:1.25}`

const hidden = { detail: { hide: true } } as const

export function guideRoutes() {
  const routes = new Elysia()
  for (const [name, text] of Object.entries(GUIDE)) {
    const vary = { vary: 'accept, accept-encoding' }
    const markdown = fixedAnswer({ type: 'text/markdown; charset=utf-8', headers: vary, make: () => text })
    const page = fixedAnswer({
      type: 'text/html; charset=utf-8',
      headers: vary,
      make: () => pageOf(text),
    })
    routes.get(`/docs/${name}`, ({ request }) => (asksForHtml(request) ? page(request) : markdown(request)), hidden)
  }
  for (const [path, text] of Object.entries(FILES)) {
    const file = fixedAnswer({ type: 'text/plain; charset=utf-8', make: () => text })
    routes.get(path, ({ request }) => file(request), hidden)
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
