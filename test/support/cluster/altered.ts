// Returns an object with some methods replaced.

export const altered = <T extends object>(target: T, other: Partial<T>): T =>
  new Proxy(target, {
    get: (of, name) => {
      const found = Reflect.get(name in other ? other : of, name) as unknown
      return typeof found === 'function' ? found.bind(of) : found
    },
  })
