import { access, createClient } from '@busbar/contract'
import { createMachine, createUser, grantMachine, proveSession, type TestUser } from '@busbar/testkit'
import { quantile, type Row } from '../src/report.ts'
import type { HoldOrder, SeenCut } from '../tunnel/load.ts'
import type { PageAddress } from '../tunnel/names.ts'
import type { BenchMachine } from '../tunnel/site.ts'
import type { BenchNode } from './bench-nodes.ts'
import { median, withNodes } from './shared.ts'
import { createVisits } from './visits.ts'

const rights = { machines: 8, visitors: 5, streamsEach: 25, cutMsMax: 1_000 }

/** How soon a right that is taken at one node ends the streams at another. */
export async function measureRights(): Promise<Row[]> {
  return withNodes(async (nodes) => {
    const { db } = nodes.database
    const [edge, visits, api] = [
      await nodes.node('edge'),
      await nodes.node('visits,jobs'),
      await nodes.node('api,realtime'),
    ]
    const owner = await createUser(db)
    await proveSession(db, owner.sessionId)
    const site = await createVisits(nodes, edge, visits)
    const machines: BenchMachine[] = []
    for (let made = 0; made < rights.machines; made++)
      machines.push(await createMachine(db, { owner: owner.userId }))
    await site.openTunnels(machines)
    const people = await Promise.all(Array.from({ length: rights.visitors }, () => createUser(db)))
    const addresses: PageAddress[] = []
    for (const machine of machines)
      for (const person of people) {
        await grantMachine(db, person.userId, machine.machineId, { role: 'visitor' })
        addresses.push(await site.enter(person, machine, 'watch'))
      }
    await site.load.call('hold', { addresses, streamsEach: rights.streamsEach } satisfies HoldOrder)
    const held = await visits.worker.call<number>('streamCount')
    const keys = clientOf(api, owner)
    const took: number[] = []
    for (const [place, { machineId: machineID }] of machines.entries()) {
      await api.worker.call('awaitChange')
      await keys.call(access.setCloudService, { machineID, state: false })
      const committedAt = await api.worker.call<number>('committedAt')
      const seen = await site.load.call<SeenCut[]>('seenHeldCut', {
        from: place * rights.visitors,
        to: (place + 1) * rights.visitors,
      })
      took.push(...seen.map(({ closedAt }) => closedAt - committedAt))
    }
    const p99 = quantile(took, 0.99)
    return [
      {
        what: `${held} streams open at the visits node, rights taken at the api node: commit to a stream’s end`,
        figure: `p50 ${median(took).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, max ${Math.max(...took).toFixed(0)} ms`,
        target: 'p99 ≤ 1 s',
        met: p99 <= rights.cutMsMax && held >= 1_000,
      },
    ]
  })
}

const clientOf = (node: BenchNode, { token }: TestUser) =>
  createClient({ baseUrl: `http://127.0.0.1:${node.webPort}`, lang: () => 'en', token: () => token })
