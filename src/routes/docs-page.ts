// The documentation page: the endpoints of the OpenAPI document as plain HTML, complete in one file.

import type { OpenApiDocument, OperationParameter } from './docs.ts'

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h2{font:600 1rem ui-monospace,monospace;margin:2rem 0 .25rem}table{border-collapse:collapse;width:100%;font-size:.9rem}
td,th{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #8884}
code{font-family:ui-monospace,monospace}:root{color-scheme:light dark}`

export function docsPage({ info, paths }: OpenApiDocument): string {
  const sections = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { summary = '', description = '', parameters = [] }]) => {
      const heading = `<h2 id="${escapeHtml(`${method}-${path}`)}">${escapeHtml(`${method.toUpperCase()} ${path}`)}</h2>`
      return `${heading}<p>${escapeHtml(`${summary}. ${description}`)}</p>${parameterTable(parameters)}`
    }),
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(info.title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>
<body><h1>${escapeHtml(`${info.title} ${info.version}`)}</h1><p>${escapeHtml(info.description)}
<a href="/docs/json">OpenAPI document</a></p>${sections.join('\n')}</body></html>`
}

function parameterTable(parameters: readonly OperationParameter[]): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(({ name, required, description = '', schema }) => {
    const otherwise = schema.default === undefined ? '' : ` Default: ${String(schema.default)}.`
    const text = `${description}.${otherwise} Accepted: ${schema['x-accepts'] ?? schema.type ?? ''}.`
    return `<tr><td><code>${escapeHtml(name)}</code></td><td>${required ? 'required' : ''}</td><td>${escapeHtml(text)}</td></tr>`
  })
  return `<table><tr><th>Parameter</th><th></th><th>Meaning</th></tr>${rows.join('')}</table>`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!)
