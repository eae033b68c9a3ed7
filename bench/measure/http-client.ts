// Sends the requests of the bench. An answer with a status other than 200 is a failure and is never measured.

export type Asked = { url: string; headers: Record<string, string> }

/** Returns the whole answer. */
export async function askBytes({ url, headers }: Asked, path: string): Promise<Uint8Array> {
  return (await ask({ url, headers }, path)).bytes()
}

/** Reads an answer to its end without keeping it; returns its length. */
export async function drain({ url, headers }: Asked, path: string): Promise<number> {
  const response = await ask({ url, headers }, path)
  let length = 0
  for await (const chunk of response.body!) length += chunk.length
  return length
}

/** Returns the time until the answer begins, ms. Reads the rest too, but does not count it. */
export async function firstByteMs(asked: Asked, path: string): Promise<number> {
  const startMs = performance.now()
  const response = await ask(asked, path)
  const reader = response.body!.getReader()
  await reader.read()
  const ms = performance.now() - startMs
  while (!(await reader.read()).done);
  return ms
}

/** Like `drain`, but does not decompress the answer: decompression is not measured. */
export async function drainEncoded({ url, headers }: Asked, path: string): Promise<number> {
  const response = await fetch(`${url}${path}`, { headers, decompress: false })
  if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}`)
  let length = 0
  for await (const chunk of response.body!) length += chunk.length
  return length
}

export async function ask({ url, headers }: Asked, path: string): Promise<Response> {
  const response = await fetch(`${url}${path}`, { headers })
  if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`)
  return response
}
