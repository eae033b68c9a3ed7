// Exports the generated types of the API. The build of the package replaces this file with those types.

export type * from '../../../src/client/backbook.d.ts'
