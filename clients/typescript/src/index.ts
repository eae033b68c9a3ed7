// A typed client for backbook. Types of answers, such as KalshiRecord, come with it.

export type * from './api.js'
export type { ClientOptions } from './ask.js'
export { type ArrowTable, type AskOptions, Client } from './client.js'
export type * from './messages.js'
export type { Answer, PagedPath, Path, Query, Row } from './paths.js'
export { BrokenError, ProblemError } from './problem.js'
export { Stream, type StreamOptions } from './stream.js'
