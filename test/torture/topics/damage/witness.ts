// A process that opens stores and answers everything about them: a line with a folder in, a line with what it saw out.

import { createInterface } from 'node:readline'
import { askEverything, type Question } from './questions.ts'

const questions = JSON.parse(await Bun.file(process.argv[2]!).text()) as Question[]
for await (const folder of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await askEverything(folder, questions))}\n`)
}
