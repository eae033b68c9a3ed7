// Reads JSON that is saved on this device.

/** Returns what is saved under a name; null if there is nothing, or if it is not JSON. */
export function savedJson(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null')
  } catch {
    return null
  }
}
