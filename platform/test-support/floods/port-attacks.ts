import { randomBytes } from 'node:crypto'
import { WebSocket } from 'ws'
import { newStreamId } from '../ports/port-agent.ts'
import { repeat } from './attack-calls.ts'
import type { AttackTarget } from './attack-target.ts'

const guessingConnections = 32
const ticketBytes = 32

/** Guesses tickets of ports: each opens a WebSocket, and is told that the ticket is wrong. */
export function guessTickets({ url }: AttackTarget, isOver: () => boolean): Promise<number> {
  const base = `${url.replace('http', 'ws')}/visitPort?port=plc&from=0`
  return repeat(guessingConnections, isOver, () => {
    const ticket = randomBytes(ticketBytes).toString('base64url')
    const ws = new WebSocket(`${base}&stream=${newStreamId()}`, {
      headers: { authorization: `Bearer ${ticket}` },
    })
    ws.on('error', () => undefined)
    return new Promise<number>((resolve) => ws.once('close', () => resolve(1)))
  })
}
