// GET /docs/json: the OpenAPI document, made from the routes themselves. GET /docs: a page of it without scripts, so
// that it shows on machines without internet.

import { filterPaths, registerSchemaPath } from '@elysiajs/swagger/utils'
import type { TObject } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { VERSION } from '../version.ts'
import { docsPage } from './docs-page.ts'

type Routes = Elysia['routes']
type Operation = { summary?: string; description?: string; tags?: string[]; parameters?: OperationParameter[] }
export type OperationParameter = {
  name: string
  required: boolean
  description?: string
  schema: { type?: string; 'x-accepts'?: string; default?: unknown }
}
export type OpenApiDocument = {
  openapi: string
  info: { title: string; version: string; description: string }
  paths: Record<string, Record<string, Operation>>
  components: Record<string, unknown>
}

export function docsRoutes(routes: () => Routes) {
  let document: OpenApiDocument | undefined
  let page: string | undefined
  const readDocument = () => (document ??= openApiDocument(routes()))
  return new Elysia()
    .get('/docs/json', () => readDocument(), { detail: { hide: true } })
    .get(
      '/docs',
      () => {
        page ??= docsPage(readDocument())
        return new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } })
      },
      { detail: { hide: true } },
    )
}

/** Every path once, with its prefix; each is there without it, too. */
export function openApiDocument(routes: Routes): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {}
  for (const { path, method, hooks } of routes) {
    if (!path.startsWith('/api/v1/') || hooks?.detail?.hide) continue
    registerSchemaPath({
      schema: paths as Parameters<typeof registerSchemaPath>[0]['schema'],
      path,
      method: method as Parameters<typeof registerSchemaPath>[0]['method'],
      hook: {
        ...hooks,
        parse: 'json',
        query: documented(hooks?.query),
        body: documented(hooks?.body),
        params: documented(hooks?.params),
        detail: withSecurity(path, hooks?.detail ?? {}),
      },
      models: {},
    })
  }
  return {
    openapi: '3.0.3',
    info: {
      title: 'backbook',
      version: VERSION,
      description: 'Order-book history of prediction markets. Every path also answers without /api/v1.',
    },
    paths: filterPaths(paths, { excludeStaticFile: false, exclude: [] }) as OpenApiDocument['paths'],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  }
}

/** Our own words on a parameter under the names that OpenAPI knows or leaves free. */
function documented(query: TObject | undefined): TObject | undefined {
  if (query === undefined) return undefined
  const properties = Object.entries(query.properties).map(([name, { accepts, unlessGiven, matches: _, ...schema }]) => [
    name,
    { ...schema, 'x-accepts': accepts, ...(unlessGiven === undefined ? {} : { default: unlessGiven }) },
  ])
  return { ...query, properties: Object.fromEntries(properties) }
}

const withSecurity = (path: string, detail: object) =>
  path.includes('/market/') ? { ...detail, security: [{ bearer: [] }] } : detail
