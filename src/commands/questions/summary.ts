// `summary`: the top of one book over a day or a window in buckets, as a server would answer it.

import { type Command, Option } from 'commander'
import { addSettings } from '../settings.ts'
import { toStdout } from '../terminal/output.ts'
import { addExamples, CommandError, EXIT } from '../terminal/program.ts'
import { addBuckets, addMarket, addWindow, questionOf, type WindowOptions } from './market-question.ts'
import { tellNothing, withStore } from './stored-data.ts'
import { askSummary } from './summary-output.ts'

const FORMATS = ['table', 'csv', 'json'] as const
type Format = (typeof FORMATS)[number]
type SummaryOptions = WindowOptions & { format?: Format; json?: true }

export function addSummaryCommand(program: Command): void {
  const command = addSettings(program.command('summary'), ['data']).description(
    'print the top of a book in buckets with candles, like the endpoint orderbook-summary',
  )
  addBuckets(addWindow(addMarket(command)))
    .addOption(
      new Option('--format <format>', 'output format (default: a table on a terminal, else CSV)').choices(FORMATS),
    )
    .option('--json', "the same as --format json: the server's answer, byte for byte")
    .action(summary)
  addExamples(command, [
    'backbook summary --venue kalshi --market KXDEMODAY-26JUL20-T50 --date 2026-07-20',
    'backbook summary --venue kalshi --market KXDEMODAY-26JUL20-T50 --resolution 1 \\',
    '  --start 2026-07-20T12:00:00Z --end 2026-07-20T12:59:59Z --format csv > noon.csv',
  ])
}

async function summary({ format, json, ...options }: SummaryOptions): Promise<void> {
  if (json && format !== undefined && format !== 'json') {
    throw new CommandError(`--json and --format ${format} contradict each other: give one of them`, EXIT.usage)
  }
  const chosen = json ? 'json' : (format ?? (process.stdout.isTTY ? 'table' : 'csv'))
  await withStore(options, async (store) => {
    const question = questionOf(options, 'buckets')
    const answer = await askSummary(store, question)
    const count = await answer.write(chosen, toStdout())
    if (count === 0 && chosen !== 'json') tellNothing('buckets', question)
  })
  if (chosen === 'json' && process.stdout.isTTY) process.stdout.write('\n')
}
