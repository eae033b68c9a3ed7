// A process that opens stores and answers everything about them. A folder comes in as a line, and what it saw goes out as
// one. A store that is damaged while it is open is told of twice: when it has answered everything, and at the end.

import { createInterface } from 'node:readline'
import { askEverything, askWhileOpen, type Question } from './questions.ts'
import type { Errand } from './witness-process.ts'

const questions = JSON.parse(await Bun.file(process.argv[2]!).text()) as Question[]
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const say = (value: unknown) => void process.stdout.write(`${JSON.stringify(value)}\n`)

async function damaged(): Promise<void> {
  say('open')
  await lines.next()
}

for (let line = await lines.next(); !line.done; line = await lines.next()) {
  const { folder, isOpen } = JSON.parse(line.value) as Errand
  say(await (isOpen ? askWhileOpen(folder, questions, damaged) : askEverything(folder, questions)))
}
