// A process that opens stores and answers everything about them. A folder comes in as a line. Two lines go out: what
// `verify` found, and all answers.

import { createInterface } from 'node:readline'
import { askEverything, type Question } from './questions.ts'

const writeLine = (value: unknown) => void process.stdout.write(`${JSON.stringify(value)}\n`)
const questions = JSON.parse(await Bun.file(process.argv[2]!).text()) as Question[]

for await (const line of createInterface({ input: process.stdin })) {
  writeLine(await askEverything(JSON.parse(line) as string, questions, writeLine))
}
