import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Below the ports that systems give to outgoing connections: Linux from 32,768, others from 49,152. */
const range = { from: 10_000, until: 32_700 }
const blockSize = 100
const blocks = Math.floor((range.until - range.from) / blockSize)

/** The ports of this process that are not given yet. */
let left: number[] = []
/** Workers begin apart, so that they seldom meet a block that is taken. */
let block = process.pid % blocks

/**
 * A port for a process that a test starts: one that is given only once, and that no connection takes on its way to the
 * outside before the process listens.
 */
export async function findFreePort(host = '127.0.0.1'): Promise<number> {
  for (;;) {
    const port = left.shift()
    if (port === undefined) await takeBlock()
    else if (await isFree(port, host)) return port
  }
}

/** Takes the next block that no other process has: its first port is open until this process ends. */
async function takeBlock(): Promise<void> {
  for (let tries = 0; tries < blocks; tries++) {
    block = (block + 1) % blocks
    const first = range.from + block * blockSize
    const mark = await listen(first, '127.0.0.1')
    if (!mark) continue
    mark.unref()
    left = Array.from({ length: blockSize - 1 }, (_, place) => first + 1 + place)
    return
  }
  throw new Error(`No free block of ports between ${range.from} and ${range.until}`)
}

async function isFree(port: number, host: string): Promise<boolean> {
  const server = await listen(port, host)
  if (!server) return false
  server.close()
  await once(server, 'close')
  return true
}

async function listen(port: number, host: string): Promise<Server | undefined> {
  const server = createServer()
  try {
    await once(server.listen(port, host), 'listening')
    return server
  } catch {
    return undefined
  }
}
