// `mcp`: serves the tools of src/mcp over stdin and stdout, for programs that use the Model Context Protocol.

import { once } from 'node:events'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Command } from 'commander'
import { mustBe } from '../../http/parameters/parameter.ts'
import { mcpServer } from '../../mcp/mcp-server.ts'
import { ServerClient } from '../../mcp/server-client.ts'
import { RemoteServer } from '../../mirror/remote-server.ts'
import { VERSION } from '../../version.ts'
import { addExamples, CommandError, EXIT } from '../terminal/program.ts'

const URL_VARIABLE = 'BACKBOOK_URL'
const KEY_VARIABLE = 'BACKBOOK_KEY'
const USUAL_URL = 'http://127.0.0.1:8080'

export function addMcpCommand(program: Command): void {
  const command = program
    .command('mcp')
    .description('answer questions of language models about a server, over stdin and stdout (Model Context Protocol)')
    .option('--url <url>', `the server (default: ${URL_VARIABLE}, else ${USUAL_URL})`)
    .option('--key <key>', `the API key (default: ${KEY_VARIABLE}, which no list of processes shows)`)
    .action(serveTools)
  addExamples(command, [
    `${KEY_VARIABLE}=bb_… backbook mcp`,
    `${KEY_VARIABLE}=bb_… backbook mcp --url https://data.example.com`,
  ])
}

async function serveTools({ url, key }: { url?: string; key?: string }): Promise<void> {
  const given = url ?? (process.env[URL_VARIABLE] || USUAL_URL)
  if (!/^https?:\/\/[^?#]+$/.test(given) || !URL.canParse(given)) {
    throw new CommandError(`--url ${mustBe('the http or https address of a server', given)}`, EXIT.usage)
  }
  const secret = key ?? (process.env[KEY_VARIABLE] || null)
  const client = new ServerClient(new RemoteServer({ url: given.replace(/\/+$/, ''), key: secret }))
  const server = mcpServer(client, VERSION)
  await server.connect(new StdioServerTransport())
  // Requests that are running when the input ends are still answered, because the process ends only when it has nothing
  // left to do.
  await once(process.stdin, 'end')
}
