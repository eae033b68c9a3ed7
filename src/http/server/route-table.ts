// Which methods a path takes, for 405 and its `Allow`. Read from the finished app, so no route can be forgotten.

/** What every path takes is among them; a path that is none takes nothing. */
export type RouteTable = { methodsOf(pathname: string): string[] }

type Route = { method: string; path: string }

/** The routes are asked for at the first use: the table is made before the app is complete. */
export function routeTable(routes: () => readonly Route[]): RouteTable {
  let patterns: { method: string; pattern: RegExp }[] | undefined
  return {
    methodsOf(pathname) {
      patterns ??= routes().map(({ method, path }) => ({ method, pattern: pathPattern(path) }))
      const methods = patterns.filter(({ pattern }) => pattern.test(pathname)).map(({ method }) => method)
      if (methods.length === 0) return []
      return [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])]
    },
  }
}

const pathPattern = (path: string) =>
  new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[A-Za-z_]+/g, '[^/]+')}/?$`)
