import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { createMachines } from '../ingest/machines.ts'
import type { Reconnected } from '../reconnect/machines.ts'
import type { Row } from '../src/report.ts'
import { figure, until, withNodes } from './shared.ts'

const kill = { machines: 2_000, sendMs: 300 }

/** How long the machines of a killed node are away. */
export async function measureKill(): Promise<Row[]> {
  return withNodes(async (nodes) => {
    const { db } = nodes.database
    await createMachines(db, kill.machines)
    const [first, second] = [await nodes.node('edge'), await nodes.node('api,edge,realtime,visits,jobs')]
    const fleet = await nodes.startWorker('reconnect/machines.ts')
    await fleet.call('open', { port: first.mqttPort, machines: kill.machines })
    await fleet.call('send')
    await fleet.call('settle')
    await sleep(kill.sendMs)
    await fleet.call('send')
    await fleet.call('moveTo', { port: second.mqttPort })
    const killedAt = performance.now()
    first.worker.child.kill('SIGKILL')
    await once(first.worker.child, 'exit')
    await fleet.call<Reconnected>('comeBack')
    const connectedMs = performance.now() - killedAt
    await until(async () => (await second.worker.call<number>('online')) === kill.machines)
    const written = async () => {
      const { rows } = await sql<{ open: number }>`select count(*)::int as open from machine_connections
        where ended_at is null and node_id = 'node-2'`.execute(db)
      return rows[0]?.open === kill.machines
    }
    await until(written)
    const writtenMs = performance.now() - killedAt
    await fleet.call('settle')
    const { rows } = await sql<{ gone: number }>`select count(*)::int as gone from facts
      where kind = 'machine.offline'`.execute(db)
    return [
      figure(
        `kill -9 of an edge node with ${kill.machines} devices: until the last is signed in at the other node`,
        `${connectedMs.toFixed(0)} ms; until its connection is written ${writtenMs.toFixed(0)} ms`,
      ),
      {
        what: 'devices told as offline meanwhile',
        figure: String(rows[0]?.gone),
        target: '0',
        met: rows[0]?.gone === 0,
      },
    ]
  })
}
