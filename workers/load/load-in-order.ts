// Keeps the order of a load. Several captures are read at once, one per reader. Their parts are committed in the order
// of the captures, so the store becomes the same as with one reader.

export interface CaptureReader<Capture, Part, End> {
  /** Offers the parts of a capture one after the other. `offer` resolves when its part is committed. */
  read(capture: Capture, offer: (part: Part) => Promise<void>): Promise<End>
}

export type LoadSteps<Part, End> = {
  commit(part: Part, index: number): Promise<void>
  /** Runs when all parts of the capture are committed. */
  finish(end: End, index: number): Promise<void>
}

/** Loads captures. `ahead` is how many captures may be read beyond the one that is being committed. Rejects with the
 *  first failure; nothing is committed after that. */
export async function loadInOrder<Capture, Part, End>(
  captures: readonly Capture[],
  readers: readonly CaptureReader<Capture, Part, End>[],
  ahead: number,
  load: LoadSteps<Part, End>,
): Promise<void> {
  /** For each capture: resolves when all captures before it are committed. The last promise resolves at the end of
   *  the load. */
  const turns = Array.from({ length: captures.length + 1 }, () => Promise.withResolvers<void>())
  const abort = (error: unknown) => {
    for (const turn of turns) turn.reject(error)
  }
  for (const { promise } of turns) promise.catch(() => {})
  turns[0]!.resolve()

  const commits: Promise<void>[] = []
  let next = 0
  const readCaptures = async (reader: CaptureReader<Capture, Part, End>) => {
    for (let index = next++; index < captures.length; index = next++) {
      await turns[Math.max(0, index - ahead)]!.promise
      let committed = turns[index]!.promise
      const end = await reader.read(captures[index]!, (part) => {
        committed = committed.then(() => load.commit(part, index))
        committed.catch(abort)
        commits.push(committed)
        return committed
      })
      const finished = committed.then(() => load.finish(end, index)).then(turns[index + 1]!.resolve)
      finished.catch(abort)
      commits.push(finished)
    }
  }
  try {
    await Promise.all([turns.at(-1)!.promise, ...readers.map(readCaptures)])
  } catch (error) {
    abort(error)
    await Promise.allSettled(commits)
    throw error
  }
}
