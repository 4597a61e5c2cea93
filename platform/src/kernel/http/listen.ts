import { createServer } from 'node:net'

const triesMax = 50

/** The port to listen on, and whether it is another than the usual one because that was taken. */
export interface ChosenPort {
  readonly port: number
  readonly isOther: boolean
}

/**
 * A wished port is used as it is: listening on it reports when it is in use. Without a wish it is the usual port or the
 * next free one above it.
 */
export async function choosePort(
  wished: number | undefined,
  usual: number,
  host: string,
): Promise<ChosenPort> {
  if (wished !== undefined) return { port: wished, isOther: false }
  for (let port = usual; port < usual + triesMax; port++) {
    if (await isFree(port, host)) return { port, isOther: port !== usual }
  }
  throw new Error(`No free port between ${usual} and ${usual + triesMax - 1} on ${host}`)
}

/** A free port of a host: the one that it had before, if that is still free. */
export async function findFreePort(host: string, before?: number): Promise<number> {
  if (before !== undefined && (await isFree(before, host))) return before
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port')
  return address.port
}

async function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
    return true
  } catch {
    return false
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}
