import { type Agent, request as httpRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AttackTarget } from './attack-target.ts'

/** Repeats `work` in `count` loops side by side; a loop that fails goes on after a pause. */
export async function repeat(count: number, isOver: () => boolean, work: (loop: number) => Promise<number>) {
  let sent = 0
  const loops = Array.from({ length: count }, async (_, loop) => {
    while (!isOver()) {
      try {
        // Read after the wait: other loops count meanwhile.
        const count = await work(loop)
        sent += count
      } catch {
        await sleep(20)
      }
    }
  })
  await Promise.all(loops)
  return sent
}

interface Call {
  readonly method?: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Sends a request and reads its answer to the end. */
export function call(
  { webPort }: AttackTarget,
  agent: Agent,
  { method = 'GET', path, headers = {}, body }: Call,
) {
  return new Promise<number>((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port: webPort, agent, method, path, headers })
    request.once('error', reject)
    request.once('response', (answer) => {
      answer.resume()
      answer.once('error', reject)
      answer.once('close', () => resolve(1))
    })
    request.end(body)
  })
}
