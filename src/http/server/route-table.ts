// Finds the methods that a path accepts, for 405 and its `Allow` header. Reads the routes of the finished app, so
// that no route is missing.

/** `methodsOf` includes OPTIONS and HEAD. It returns an empty list for a path without a route. */
export type RouteTable = { methodsOf(pathname: string): string[] }

type Route = { method: string; path: string }

/** Reads the routes at first use, since the app is not complete earlier. */
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

/** Returns a pattern for the path of a route. A trailing slash makes no difference. */
export const pathPattern = (path: string) =>
  new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[A-Za-z_]+/g, '[^/]+')}/?$`)
