// Which methods a path takes, for 405 and its `Allow`. Read from the finished app, so no route can be forgotten.

export type RouteTable = { methodsOf(pathname: string): string[] }

/** The framework answers HEAD by making the whole body and counting it: on the market endpoints that is work for
 *  nothing. */
export const isGetOnly = (pathname: string) => pathname.includes('/market/')

type Route = { method: string; path: string }

/** The routes are asked for at the first use: the table is made before the app is complete. */
export function routeTable(routes: () => readonly Route[]): RouteTable {
  let patterns: { method: string; pattern: RegExp }[] | undefined
  return {
    methodsOf(pathname) {
      patterns ??= routes().map(({ method, path }) => ({ method, pattern: pathPattern(path) }))
      const methods = patterns.filter(({ pattern }) => pattern.test(pathname)).map(({ method }) => method)
      return [...new Set(methods.includes('GET') && !isGetOnly(pathname) ? [...methods, 'HEAD'] : methods)]
    },
  }
}

const pathPattern = (path: string) =>
  new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[A-Za-z_]+/g, '[^/]+')}/?$`)
