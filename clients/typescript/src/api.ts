// The types of the API are those that the repository generates. Building the package puts them in place of this file.

export type * from '../../../src/client/backbook.d.ts'
