import type { ChildProcess } from 'node:child_process'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const startMsMax = 10_000

/** Resolves when a program listens on a port of this machine; rejects when it ends, or after ten seconds. */
export async function awaitPort(port: number, program: ChildProcess): Promise<void> {
  for (const until = performance.now() + startMsMax; performance.now() < until; await sleep(50)) {
    if (program.exitCode !== null) throw new Error(`${program.spawnfile} ended with ${program.exitCode}`)
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (isOpen) return
  }
  throw new Error(`${program.spawnfile} did not listen within ${startMsMax} ms`)
}
