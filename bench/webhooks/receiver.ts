import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { steadyNowMs } from '../src/clock.ts'
import { serve } from '../src/rpc.ts'

/* The receivers of all destinations, in a separate process: one server, in which each path is a receiver. */

export type Manner = 'well' | 'slow' | 'stuck' | 'refusing'

/** A row that came: the machine, the time it told, and the steady clock at the head of its request. */
export type Arrival = readonly [code: string, time: number, at: number]

/** A second less than the platform waits for an answer. */
const slowMs = 14_000
const newline = 10

const manners = new Map<string, Manner>()
const rows = new Map<string, number>()
let arrivals: Arrival[] | undefined

function answer(response: ServerResponse, manner: Manner): void {
  const end = (status: number) => response.writeHead(status).end()
  if (manner === 'well') end(204)
  else if (manner === 'refusing') end(503)
  else if (manner === 'slow') setTimeout(end, slowMs, 204)
}

function take(request: IncomingMessage, response: ServerResponse): void {
  const at = steadyNowMs()
  const path = request.url ?? ''
  const chunks: Buffer[] = []
  let lines = 0
  request.on('data', (chunk: Buffer) => {
    if (arrivals) chunks.push(chunk)
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, end + 1)) lines++
  })
  request.on('end', () => {
    const manner = manners.get(path) ?? 'well'
    // There is a line's end between two rows.
    if (manner === 'well') rows.set(path, (rows.get(path) ?? 0) + lines + 1)
    answer(response, manner)
    if (!arrivals) return
    const told = JSON.parse(Buffer.concat(chunks).toString()) as { machineCode: string; time: number }[]
    for (const { machineCode, time } of told) arrivals.push([machineCode, time, at])
  })
}

serve({
  async listen() {
    const server = createServer(take)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return (server.address() as AddressInfo).port
  },

  behave(input: Record<string, Manner>) {
    for (const [path, manner] of Object.entries(input)) manners.set(path, manner)
  },

  /** The rows that each receiver accepted since the start. */
  counts: () => Object.fromEntries(rows),

  noteArrivals() {
    arrivals = []
  },

  takeArrivals() {
    const taken = arrivals
    arrivals = undefined
    return taken
  },
})
