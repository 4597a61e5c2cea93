import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMachine, createTestDatabase } from '@busbar/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { LoadClient } from '../test-support/gateway/load-client.ts'
import { startMain } from '../test-support/processes/main-process.ts'
import { listLogged } from '../test-support/telemetry/logged-samples.ts'

/* rules/operations.md: failures of a process */

const failLater = new URL('../test-support/processes/fail-later.ts', import.meta.url).href

test.each([
  { signal: 'SIGUSR2', what: 'an exception in a timer', said: 'a timer failed' },
  { signal: 'SIGURG', what: 'a rejection without a listener', said: 'nobody listens' },
] as const)(
  '$what writes one line of the log, and the process ends in order with exit code 1',
  async ({ signal, said }) => {
    const database = await createTestDatabase()
    const dataDir = await mkdtemp(join(tmpdir(), 'busbar-failed-'))
    onTestFinished(async () => {
      await database.drop()
      await rm(dataDir, { recursive: true })
    })
    const { machineId, code, secret } = await createMachine(database.db)
    const lines: string[] = []
    const main = await startMain(
      { DATABASE_URL: database.url, DATA_DIR: dataDir, LOG_LEVEL: 'info' },
      { preloads: [failLater], onLine: (line) => lines.push(line) },
    )
    onTestFinished(async () => void (await main.stop()))
    const load = new LoadClient({ code, secret, port: main.mqttPort, window: 25, firstAt: Date.now() })
    onTestFinished(() => load.abandon())
    await expect.poll(() => load.acknowledged.size).toBeGreaterThan(100)

    main.child.kill(signal)
    expect(await once(main.child, 'exit')).toEqual([1, null])
    const samples = await listLogged(database.db, machineId)
    const stored = new Set(samples.filter(({ name }) => name === 'n').map(({ value }) => Number(value)))
    expect([...load.acknowledged].filter((number) => !stored.has(number))).toEqual([])
    const failures = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'process.failed')
    expect(failures).toHaveLength(1)
    expect(failures[0]).toMatchObject({ level: 'error', err: { message: said } })
    expect(failures[0].err.stack).toContain('fail-later.ts')
    // A node that crashes leaves its row, by which others wait for it.
    expect(await database.db.selectFrom('nodes').select('id').execute()).toEqual([])
  },
)
