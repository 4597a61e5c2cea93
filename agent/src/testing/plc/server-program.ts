import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A program that serves a controller's memory, controlled line by line. */
export interface ServerProgram {
  /** Sends a line; resolves with the answer, a line too. */
  tell(line: string): Promise<string>
  stop(): Promise<void>
}

/** Starts one and waits until it says "ready". */
export async function startServerProgram(program: string, args: readonly string[]): Promise<ServerProgram> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  let complaint = ''
  child.stderr.on('data', (bytes) => {
    complaint = `${complaint}${bytes}`.slice(-2_000)
  })
  const ended = once(child, 'close')
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`${program} ended: ${complaint}`)
    return value
  }
  if ((await next()) !== 'ready') throw new Error(`${program} is not ready`)
  return {
    tell(line) {
      child.stdin.write(`${line}\n`)
      return next()
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
