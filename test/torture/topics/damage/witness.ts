// A process that opens stores and answers everything about them. A folder comes in as a line, and what it saw goes out
// as one.

import { createInterface } from 'node:readline'
import { askEverything, type Question } from './questions.ts'

const questions = JSON.parse(await Bun.file(process.argv[2]!).text()) as Question[]

for await (const line of createInterface({ input: process.stdin })) {
  const seen = await askEverything(JSON.parse(line) as string, questions)
  process.stdout.write(`${JSON.stringify(seen)}\n`)
}
