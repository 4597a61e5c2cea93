import { aside } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { StoreFailed } from './append-errors.ts'

let clock = Date.now()

const site = useSite({}, { now: () => clock })

async function readiness(): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${site.url}/readyz`)
  return { status: answer.status, body: await answer.json() }
}

it('records that wait for ten seconds without a commit make the platform not ready, and a commit ends that', async () => {
  const { machineId } = await site.createMachine()
  let appended: Promise<unknown> | undefined
  await site.db.transaction().execute(
    aside(async (trx) => {
      await sql`lock table ingest_batches in access exclusive mode`.execute(trx)
      appended = site.platform.telemetry.append(machineId, [
        {
          kind: 'sample',
          group: '',
          tag: 'n',
          type: 'float64',
          value: 1,
          quality: 192,
          time: undefined,
          late: false,
        },
      ])
      clock += 9_000
      expect(await readiness()).toMatchObject({ status: 200 })
      clock += 1_000
      expect(await readiness()).toEqual({ status: 503, body: { status: 'missing', missing: ['commits'] } })
      const stalled = site.platform.metrics().find(({ name }) => name === 'busbar_ingest_stalled_seconds')
      expect(JSON.stringify(stalled)).toContain('10')
    }),
  )
  await appended
  expect(await readiness()).toMatchObject({ status: 200 })
})

it('a machine whose row stays locked is given its records back, and others commit meanwhile', async () => {
  const [held, other] = [await site.createMachine(), await site.createMachine()]
  // New tags: they are written for the owner in the row.
  const append = (machineId: number) =>
    site.platform.telemetry.append(machineId, [
      {
        kind: 'sample',
        group: '',
        tag: 'm',
        type: 'float64',
        value: 1,
        quality: 192,
        time: undefined,
        late: false,
      },
    ])
  await site.db.transaction().execute(
    aside(async (trx) => {
      await sql`select from machines where id = ${held.machineId} for update`.execute(trx)
      const outcomes = await Promise.allSettled([append(held.machineId), append(other.machineId)])
      expect(outcomes).toMatchObject([{ reason: expect.any(StoreFailed) }, { value: [] }])
    }),
  )
  expect(await append(held.machineId)).toEqual([])
})
