// Loads the styles of a part of the page together with the part.

const added = new Map<string, Promise<void>>()

/** Resolves when the styles at an address have loaded. Later calls load nothing. */
export function addSheet(address: string): Promise<void> {
  const adding = added.get(address) ?? add(address)
  added.set(address, adding)
  return adding
}

async function add(address: string): Promise<void> {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: address })
  try {
    await new Promise((resolve, reject) => {
      link.onload = resolve
      link.onerror = reject
      document.head.append(link)
    })
  } catch (error) {
    added.delete(address)
    link.remove()
    throw error
  }
}
