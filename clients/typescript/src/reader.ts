// Distinguishes a failure of the caller's reader from a failure of the connection that it reads.

/** Wraps the error of the caller's reader as `cause`. Another attempt would not help. */
export class ReaderFailure extends Error {}

/** Wraps `read`. If it fails, rejects with ReaderFailure, or with its own error if the connection broke. */
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
      // Cancels the rest of the answer.
      reader?.cancel().catch(() => undefined)
      throw isBroken ? cause : new ReaderFailure('the reader failed', { cause })
    }
  }
