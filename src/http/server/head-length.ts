// Stores the length of the body that the answer to a HEAD describes, since the framework drops it.

const lengths = new WeakMap<Request, number>()

export const setHeadLength = (request: Request, bytes: number): void => void lengths.set(request, bytes)

/** Returns the stored length; undefined if it is unknown. */
export const headLengthOf = (request: Request): number | undefined => lengths.get(request)
