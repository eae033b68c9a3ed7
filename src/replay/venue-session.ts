// What the replays in the protocols of venues have in common: a player, and the queue of the client's commands.

import type { Socket, SocketSession } from '../http/sockets/socket.ts'
import { CommandQueue } from './command-queue.ts'
import type { Left } from './continuations.ts'
import type { MarketRecords } from './market-records.ts'
import { Player, type Protocol } from './player.ts'
import type { SessionParts } from './replay-protocol.ts'
import { type Stamp, stampOf } from './stamped.ts'

export abstract class VenueSession implements SocketSession, Protocol {
  abstract readonly heartbeat: Protocol['heartbeat']
  protected readonly stamp: Stamp
  protected readonly player: Player
  protected readonly commands: CommandQueue
  protected socket: Socket | undefined
  readonly #disconnected: SessionParts['disconnected']

  constructor(parts: SessionParts) {
    this.#disconnected = parts.disconnected
    this.stamp = stampOf(parts.isStamped)
    this.player = new Player({ ...parts, text: parts.isStamped ? 'message' : 'socket' }, this)
    this.commands = new CommandQueue({
      ...{ player: this.player, timers: parts.timers },
      onFailure: (error) => this.socket?.fail(error),
    })
  }

  abstract message(data: string | Uint8Array): void
  abstract deliver(record: MarketRecords): void
  abstract isDisconnect(record: MarketRecords): boolean

  open(socket: Socket): void {
    this.socket = socket
    this.commands.open(socket)
    this.player.open(socket)
  }

  drain(): void {
    this.commands.drain()
    this.player.drain()
  }

  close(): void {
    this.socket = undefined
    this.commands.close()
    this.player.close()
  }

  disconnected(left: Left): void {
    this.#disconnected(left)
  }
}
