// Tells the failures of a caller's reader from those of the connection that it reads.

/** The caller's own error, as `cause`: asking again would not help. */
export class ReaderFailure extends Error {}

/** `read`, which rejects with ReaderFailure unless the connection broke while it read. */
export const watched =
  <Value>(read: (response: Response) => Promise<Value>) =>
  async (response: Response): Promise<Value> => {
    let isBroken = false
    const reader = response.body?.getReader()
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      try {
        const { done, value } = await reader!.read()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        isBroken = true
        throw error
      }
    }
    const cancel = (reason: unknown) => reader!.cancel(reason)
    const body = reader === undefined ? null : new ReadableStream({ pull, cancel }, { highWaterMark: 0 })
    const { status, statusText, headers } = response
    try {
      return await read(new Response(body, { status, statusText, headers }))
    } catch (cause) {
      // What is left of the answer is not read.
      reader?.cancel().catch(() => undefined)
      throw isBroken ? cause : new ReaderFailure('the reader failed', { cause })
    }
  }
