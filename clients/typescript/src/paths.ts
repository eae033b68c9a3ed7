// Derives the paths of the API, with the query and the answer of each, from the generated types.

import type { Endpoints } from './api.js'

type Method = 'get' | 'post' | 'delete' | 'put' | 'patch'

/** Every path below `Tree` that answers GET, such as `/kalshi/market/trades`. */
type PathsBelow<Tree> = {
  [Part in keyof Tree & string]: Part extends 'get'
    ? ''
    : Part extends Method
      ? never
      : `/${Part}${PathsBelow<Tree[Part]>}`
}[keyof Tree & string]

type At<Tree, Path extends string> = Path extends `/${infer Part}/${infer Rest}`
  ? Part extends keyof Tree
    ? At<Tree[Part], `/${Rest}`>
    : never
  : Path extends `/${infer Part}`
    ? Part extends keyof Tree
      ? Tree[Part]
      : never
    : never

type Get<Path extends string> = At<Endpoints, Path> extends { get: infer Endpoint } ? Endpoint : never

/** Path of a GET endpoint. */
export type Path = PathsBelow<Endpoints>
/** Query parameters of a path. */
export type Query<P extends Path> = Get<P> extends { query: infer Given } ? Given : never
/** JSON answer of a path. */
export type Answer<P extends Path> = Get<P> extends { response: { 200: infer Given } } ? Given : never

/** A path whose answers come in pages, each with the cursor of the next. */
export type PagedPath = {
  [P in Path]: Answer<P> extends { data: unknown[]; next_cursor: string | null } ? P : never
}[Path]
/** A row of a paged path. */
export type Row<P extends PagedPath> = Answer<P> extends { data: (infer Given)[] } ? Given : never
