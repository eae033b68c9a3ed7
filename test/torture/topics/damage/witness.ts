// A process that opens stores and answers every query about them. Reads the folder from a line of stdin. Prints two
// lines: the damage that `verify` found, and all answers.

import { createInterface } from 'node:readline'
import { askEverything, type Question } from './questions.ts'

const writeLine = (value: unknown) => void process.stdout.write(`${JSON.stringify(value)}\n`)
const questions = JSON.parse(await Bun.file(process.argv[2]!).text()) as Question[]

for await (const line of createInterface({ input: process.stdin })) {
  writeLine(await askEverything(JSON.parse(line) as string, questions, writeLine))
}
