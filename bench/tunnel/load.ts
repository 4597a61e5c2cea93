import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import { steadyNowMs } from '../src/clock.ts'
import { serve } from '../src/rpc.ts'
import type { PageAddress } from './names.ts'

/* The visitors' side: an ordinary HTTP client in a separate process. */

export interface DownloadOrder {
  readonly address: PageAddress
  /** Of all streams together. */
  readonly bytes: number
  readonly streams: number
}

export interface AskOrder {
  readonly address: PageAddress
  readonly count: number
  readonly connections: number
}

export interface HoldOrder {
  readonly addresses: readonly PageAddress[]
  readonly streamsEach: number
}

/** A cut as a visitor saw it, by the steady clock; `lastByteAt` is 0 if no byte ever came. */
export interface SeenCut {
  readonly lastByteAt: number
  readonly closedAt: number
}

interface Watched {
  readonly download: Promise<SeenCut>
  readonly socket: Promise<SeenCut>
}

const openAtOnce = 32
const kept = new Agent({ keepAlive: true })
let stuck: IncomingMessage[] = []
let watched: Watched | undefined
const held: Promise<SeenCut>[][] = []

serve({
  /** Milliseconds until the last of the streams had its last byte. */
  async download({ address, bytes, streams }: DownloadOrder): Promise<number> {
    const each = Math.floor(bytes / streams)
    const beganAt = performance.now()
    await Promise.all(Array.from({ length: streams }, () => readAll(address, `/bytes/${each}`, each)))
    return performance.now() - beganAt
  },

  /** Requests 1 kB repeatedly on kept connections: each answer's milliseconds, and how long all took. */
  async ask({ address, count, connections }: AskOrder): Promise<{ latencies: number[]; ms: number }> {
    const agent = new Agent({ keepAlive: true, maxSockets: connections })
    const latencies: number[] = []
    const askSome = async () => {
      for (let asked = 0; asked < count / connections; asked++) {
        const beganAt = performance.now()
        await readAll(address, '/small', 1_024, agent)
        latencies.push(performance.now() - beganAt)
      }
    }
    const beganAt = performance.now()
    await Promise.all(Array.from({ length: connections }, askSome))
    const ms = performance.now() - beganAt
    agent.destroy()
    return { latencies, ms }
  },

  /** Begins downloads without reading them. */
  async openStuck({ address, bytes, streams }: DownloadOrder): Promise<void> {
    stuck = await Promise.all(Array.from({ length: streams }, () => open(address, `/bytes/${bytes}`)))
  },

  closeStuck(): void {
    for (const response of stuck) response.destroy()
    stuck = []
  },

  /** Begins a download and a WebSocket, both running; `seenCut` returns how they ended. */
  async watch({ address }: { address: PageAddress }): Promise<void> {
    const download = await open(address, '/paced')
    download.on('error', () => undefined)
    const socket = new WebSocket(`ws://127.0.0.1:${address.port}/socket`, {
      headers: { ...headersOf(address), origin: `http://${address.host}` },
      perMessageDeflate: false,
    })
    socket.on('error', () => undefined)
    watched = {
      download: watchCut((heard) => download.on('data', heard), closed(download)),
      socket: watchCut((heard) => socket.on('message', heard), closed(socket)),
    }
    await Promise.all([once(download, 'data'), once(socket, 'message')])
  },

  async seenCut(): Promise<{ download: SeenCut; socket: SeenCut }> {
    if (!watched) throw new Error('nothing is watched')
    return { download: await watched.download, socket: await watched.socket }
  },

  /** Opens streams that get data every 5 s, and keeps them open. */
  async hold({ addresses, streamsEach }: HoldOrder): Promise<void> {
    for (const address of addresses) {
      const mine: Promise<SeenCut>[] = []
      held.push(mine)
      for (let opened = 0; opened < streamsEach; opened += openAtOnce) {
        const count = Math.min(openAtOnce, streamsEach - opened)
        const responses = await Promise.all(Array.from({ length: count }, () => open(address, '/events')))
        for (const response of responses) {
          response.on('error', () => undefined)
          mine.push(watchCut((heard) => response.on('data', heard), closed(response)))
        }
      }
    }
  },

  /** The ends of the streams of some of the pages held. */
  async seenHeldCut({ from, to }: { from: number; to: number }): Promise<SeenCut[]> {
    return Promise.all(held.slice(from, to).flat())
  },
})

function headersOf(address: PageAddress): Record<string, string> {
  return {
    ...(address.host ? { host: address.host, 'sec-fetch-site': 'same-origin' } : {}),
    ...(address.cookie ? { cookie: `visit=${address.cookie}` } : {}),
  }
}

function open(address: PageAddress, path: string, agent?: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: address.port, path, headers: headersOf(address) }
    get({ ...options, ...(agent ? { agent } : { agent: false }) }, (response) => {
      if (response.statusCode === 200) resolve(response)
      else reject(new Error(`${path} was answered ${response.statusCode}`))
    }).once('error', reject)
  })
}

async function readAll(
  address: PageAddress,
  path: string,
  expected: number,
  agent: Agent = kept,
): Promise<void> {
  const response = await open(address, path, agent)
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  await once(response, 'end')
  if (bytes !== expected) throw new Error(`${bytes} of ${expected} bytes came`)
}

/** The end, also with an error: a cut is one. */
function closed(one: IncomingMessage | WebSocket): Promise<void> {
  return new Promise((resolve) => one.once('close', () => resolve()))
}

async function watchCut(listen: (heard: () => void) => void, end: Promise<void>): Promise<SeenCut> {
  let lastByteAt = 0
  listen(() => {
    lastByteAt = steadyNowMs()
  })
  await end
  return { lastByteAt, closedAt: steadyNowMs() }
}
