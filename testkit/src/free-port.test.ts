import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findFreePort } from './free-port.ts'

test('two workers chose one port, and an outgoing connection took it before it was opened', async () => {
  const script = `
    import { findFreePort } from ${JSON.stringify(join(import.meta.dirname, 'free-port.ts'))}
    const ports = []
    while (ports.length < 150) ports.push(await findFreePort())
    process.send(ports)
    process.on('message', () => {})`
  const workers = [1, 2].map(() =>
    spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    }),
  )
  try {
    const theirs = await Promise.all(workers.map(async (worker) => (await once(worker, 'message'))[0]))
    const ports: number[] = [await findFreePort(), await findFreePort(), ...theirs.flat()]
    expect(new Set(ports).size).toBe(302)
    expect(Math.max(...ports)).toBeLessThan(32_768)
  } finally {
    for (const worker of workers) worker.kill()
  }
})
