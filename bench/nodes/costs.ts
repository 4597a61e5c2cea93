import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createUser } from '@busbar/testkit'
import { sql } from 'kysely'
import { createFleet } from '../../e2e/src/fleet.ts'
import { startLoadProcess } from '../src/load-process.ts'
import type { Row } from '../src/report.ts'
import type { BenchNodes } from './bench-nodes.ts'
import { figure, labelsOf, until, withNodes } from './shared.ts'

const costs = { machines: 2_000, watched: 500, perSecond: 2_000, durationMs: 15_000, quietMs: 30_000 }

interface Spent {
  readonly natsIn: number
  readonly natsInBytes: number
  readonly natsOut: number
  readonly natsOutBytes: number
  readonly commits: number
  readonly walBytes: number
}

async function readSpent(nodes: BenchNodes, db: Database): Promise<Spent> {
  const { in_msgs, in_bytes, out_msgs, out_bytes } = await nodes.nats.counts()
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ commits: number; wal: number }>`select
    (select xact_commit from pg_stat_database where datname = current_database())::float8 as commits,
    (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as wal`.execute(db)
  const [row] = rows
  return {
    natsIn: in_msgs,
    natsInBytes: in_bytes,
    natsOut: out_msgs,
    natsOutBytes: out_bytes,
    commits: row?.commits ?? Number.NaN,
    walBytes: row?.wal ?? Number.NaN,
  }
}

/** The cost of idle nodes, machines, values and leases at NATS and PostgreSQL, for docs/scale.md. */
export async function measureCosts(): Promise<Row[]> {
  return withNodes(async (nodes) => {
    const { db } = nodes.database
    const owner = await createUser(db)
    await createFleet(db, owner.userId, costs.machines)
    const started = await nodes.nats.counts()
    const [edge, people] = [await nodes.node('edge'), await nodes.node('api,realtime,visits,jobs')]
    const generator = startLoadProcess()
    const rows: Row[] = []
    const spend = async (
      what: string,
      per: number,
      work: () => Promise<unknown>,
      beside?: Spent,
    ): Promise<Spent> => {
      const before = await readSpent(nodes, db)
      const beganAt = performance.now()
      await work()
      const after = await readSpent(nodes, db)
      const seconds = (performance.now() - beganAt) / 1_000
      const spent = Object.fromEntries(
        Object.entries(after).map(([name, value]) => [
          name,
          value - (before[name as keyof Spent] ?? 0) - (beside ? beside[name as keyof Spent] * seconds : 0),
        ]),
      ) as unknown as Spent
      const each = (name: keyof Spent, digits = 2) => (spent[name] / per).toFixed(digits)
      rows.push(
        figure(
          what,
          `NATS in ${each('natsIn')} messages, ${each('natsInBytes', 0)} B; out ${each('natsOut')}, ` +
            `${each('natsOutBytes', 0)} B; PostgreSQL ${each('commits', 3)} commits, ${each('walBytes', 0)} B of WAL`,
        ),
      )
      return Object.fromEntries(
        Object.entries(spent).map(([name, value]) => [name, value / seconds]),
      ) as unknown as Spent
    }
    try {
      await sleep(5_000)
      const idle = await spend('two nodes without a device, a second', costs.quietMs / 1_000, () =>
        sleep(costs.quietMs),
      )
      const machines = labelsOf(1, costs.machines)
      await spend(
        'a device that comes',
        costs.machines,
        async () => {
          await generator.open({ port: edge.mqttPort, machines })
          await until(async () => {
            const { rows: found } = await sql<{
              open: number
            }>`select count(*)::int as open from machine_connections
              where ended_at is null and node_id = 'node-1'`.execute(db)
            return found[0]?.open === costs.machines
          })
          await sleep(1_000)
        },
        idle,
      )
      const held = await nodes.nats.counts()
      rows.push(
        figure(
          'NATS: subscriptions and resident bytes of a device that is connected',
          `${((held.subscriptions - started.subscriptions) / costs.machines).toFixed(2)}, ` +
            `${((held.mem - started.mem) / costs.machines).toFixed(0)} B`,
        ),
      )
      const run = () => generator.run({ messagesPerSecond: costs.perSecond, durationMs: costs.durationMs })
      await run()
      const seconds = costs.durationMs / 1_000
      const stored = await spend('a value that nobody watches', costs.perSecond * seconds, run, idle)
      const { rows: watched } = await sql<{
        id: number
      }>`select id from machines order by code limit ${costs.watched}`.execute(db)
      await people.worker.call('watchAll', { machineIds: watched.map(({ id }) => id) })
      await sleep(1_000)
      const leases = await spend(
        'a lease on a device, a second',
        costs.watched * (costs.quietMs / 1_000),
        () => sleep(costs.quietMs),
        idle,
      )
      const also = Object.fromEntries(
        Object.entries(idle).map(([name, value]) => [
          name,
          value + leases[name as keyof Spent] + stored[name as keyof Spent],
        ]),
      ) as unknown as Spent
      for (const isWarm of [false, true]) {
        const note = () =>
          sql`update machine_connections set last_seen_at = now() where ended_at is null`.execute(db)
        if (isWarm) await spend('a device that is noted as seen, every 10 s', costs.machines, note)
        else await note()
      }
      await spend(
        'a value that one node watches, beside storing it',
        (costs.perSecond * seconds * costs.watched) / costs.machines,
        run,
        also,
      )
      return rows
    } finally {
      await generator.stop()
    }
  })
}
