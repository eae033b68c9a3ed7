// The tools as a server of the Model Context Protocol. The caller supplies the connection to a client.

import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { MirrorError } from '../mirror/remote-server.ts'
import { WrongArguments } from './arguments.ts'
import { Refusal, type ServerClient } from './server-client.ts'
import { TOOLS } from './tools.ts'

const INSTRUCTIONS =
  'Order-book history of prediction markets. Find a market with search, look at coverage, then ask for candles, book ' +
  'or trades. Prices are dollars from 0 to 1, sizes contracts, times UTC. Every answer is bounded, and says what it ' +
  'left out.'

export function mcpServer(client: ServerClient, version: string): Server {
  const server = new Server({ name: 'backbook', version }, { capabilities: { tools: {} }, instructions: INSTRUCTIONS })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: TOOLS.map(({ name, description, schema }) => ({
      name,
      description,
      inputSchema: { ...schema, type: 'object' as const },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    })),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: given } }) => {
    const tool = TOOLS.find((each) => each.name === name)
    if (tool === undefined) return failure(`there is no tool ${name}: ${TOOLS.map((each) => each.name).join(', ')}`)
    try {
      return { content: [{ type: 'text' as const, text: await tool.answer(client, given) }] }
    } catch (error) {
      const isExpected = error instanceof Refusal || error instanceof WrongArguments || error instanceof MirrorError
      if (!isExpected) throw error
      return failure(error.message)
    }
  })
  return server
}

/** Returns a tool's answer that reports a failure. The model reads the reason, and can try again. */
const failure = (text: string) => ({ isError: true, content: [{ type: 'text' as const, text }] })
