import { health } from '@busbar/contract'
import { createMachine } from '@busbar/testkit'
import { createTestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startMain } from '../test-support/processes/main-process.ts'

it('a platform reports that its second database is away, goes on when it is back, and starts with no other', async () => {
  const main = await createTestDatabase({ poolMax: 2 })
  const samples = await createTestDatabase({ poolMax: 2 })
  const server = await createTestDatabase({ poolMax: 1 })
  onTestFinished(async () => {
    for (const database of [main, samples, server]) await database.drop()
  })
  await createMachine(main.db)
  const env = { DATABASE_URL: main.url, TELEMETRY_URL: samples.url }
  const running = await startMain(env)
  const ask = async () => {
    const answer = await fetch(`${running.url}${health.getReadiness.path}`)
    return (await answer.json()) as { missing: string[] }
  }
  const setAway = (isAway: boolean) =>
    sql
      .raw(`alter database ${samples.connection.database} with allow_connections ${!isAway}`)
      .execute(server.db)
  const soon = { timeout: 15_000, interval: 50 }
  try {
    await vi.waitFor(async () => expect((await ask()).missing).toEqual([]), soon)
    await setAway(true)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = ${samples.connection.database} and pid <> pg_backend_pid()`.execute(server.db)
    await vi.waitFor(async () => expect((await ask()).missing).toContain('samplesDatabase'), soon)
    expect((await fetch(`${running.url}/`)).status).toBeLessThan(500)
    await setAway(false)
    await vi.waitFor(async () => expect((await ask()).missing).toEqual([]), soon)
  } finally {
    await setAway(false)
    await running.stop()
  }
  await expect(startMain({ DATABASE_URL: main.url })).rejects.toThrow('set TELEMETRY_URL')
}, 90_000)
