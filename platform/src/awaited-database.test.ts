import { once } from 'node:events'
import { health } from '@busbar/contract'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { databaseEnd, FaultyLine } from '@busbar/testkit/faulty-line.ts'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { afterEach, expect, it, vi } from 'vitest'
import { type MainFailed, startMain } from '../test-support/processes/main-process.ts'

/* rules/operations.md: starting */

const soon = { timeout: 20_000, interval: 50 }

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** A database, and the line by which a platform reaches it. */
async function openDatabaseLine() {
  const database = await createTestDatabase({ poolMax: 1 })
  stops.push(() => database.drop())
  const line = await FaultyLine.open(databaseEnd(database.connection))
  stops.push(() => line.close())
  return { database, line, url: urlBy(database, line.port) }
}

function urlBy({ connection: { user, password, database } }: TestDatabase, port: number): string {
  const url = new URL(`postgres://127.0.0.1:${port}/${database}`)
  url.username = user
  url.password = password
  return url.href
}

/** Starts a platform without waiting until it is ready. */
async function begin(env: Record<string, string>) {
  const port = await findFreePort('127.0.0.1')
  const lines: { msg: string; setting?: string }[] = []
  const onLine = (line: string) => lines.push(JSON.parse(line))
  const settings = { PORT: String(port), LOG_LEVEL: 'info', ...env }
  const started = startMain(settings, { onLine })
  const failed = started.then(
    () => undefined,
    (error: MainFailed) => error,
  )
  stops.push(() => started.then((main) => main.stop()).catch(() => undefined))
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    return { status: answer.status, body: (await answer.json()) as unknown }
  }
  return { started, failed, lines, ask }
}

it('without its databases a start waits: it lives, is not ready, tells what it waits for, and goes on when they came', async () => {
  const main = await openDatabaseLine()
  const samples = await openDatabaseLine()
  main.line.state = 'cut'
  samples.line.state = 'cut'
  const { started, lines, ask } = await begin({ DATABASE_URL: main.url, TELEMETRY_URL: samples.url })
  await vi.waitFor(
    async () => expect(await ask(health.getHealth.path)).toEqual({ status: 200, body: { status: 'ok' } }),
    soon,
  )
  const missing = { status: 503, body: { status: 'missing', missing: ['database'] } }
  expect(await ask(health.getReadiness.path)).toEqual(missing)
  const listAwaited = () => lines.filter(({ msg }) => msg === 'database.awaited')
  await vi.waitFor(() => expect(listAwaited()).toHaveLength(2), soon)

  // The second one is as necessary as the first.
  main.line.state = 'fine'
  await vi.waitFor(() => expect(lines.map(({ msg }) => msg)).toContain('database.reached'), soon)
  expect(await ask(health.getReadiness.path)).toEqual(missing)
  samples.line.state = 'fine'
  await started
  await vi.waitFor(async () => expect((await ask(health.getReadiness.path)).status).toBe(200), soon)
  // Further tries within the minute write no line.
  expect(
    listAwaited()
      .map(({ setting }) => setting)
      .sort(),
  ).toEqual(['DATABASE_URL', 'TELEMETRY_URL'])
})

it('a signal ends a start that waits', async () => {
  const { line, url } = await openDatabaseLine()
  // A database that answers nothing: a try hangs for seconds.
  line.state = 'silent'
  const port = await findFreePort('127.0.0.1')
  const spawned = vi.fn()
  const started = startMain({ DATABASE_URL: url, PORT: String(port) }, { onSpawn: spawned })
  const ended = started.catch((error: MainFailed) => error.exitCode)
  await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${port}/healthz`)).ok).toBe(true), soon)
  const child = spawned.mock.calls[0]?.[0]
  child.kill('SIGTERM')
  await once(child, 'exit')
  expect(await ended).toBe(0)
})

it('where waiting does not help, the start ends and says why', async () => {
  const { database, url } = await openDatabaseLine()
  const wrongPassword = new URL(url)
  wrongPassword.password = 'guess'
  const { failed: refused } = await begin({ DATABASE_URL: wrongPassword.href })
  expect((await refused)?.message).toMatch(/DATABASE_URL: password authentication failed/)
  const unknown = url.replace(database.connection.database, 'unknown')
  const { failed: notThere } = await begin({ DATABASE_URL: url, TELEMETRY_URL: unknown })
  expect((await notThere)?.message).toMatch(/TELEMETRY_URL: database "unknown" does not exist/)
})
