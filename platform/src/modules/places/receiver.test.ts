import { alarms, machines, places, platformAlarms } from '@busbar/contract'
import { startRemoteAgent } from '@busbar/testkit'
import { startGpsReceiver } from '@busbar/testkit/gps-receiver.ts'
import { useSite } from '@busbar/testkit/test-site.ts'
import type { Transaction } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { withTransaction } from '../../kernel/database/database.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { createAccess } from '../access/index.ts'
import { PlaceChanges } from './place-changes.ts'

const minuteMs = 60_000
/** Publishing waits for the agent's next look, ten seconds at most. */
const poll = { timeout: 30_000, interval: 50 }
/** The clock of the platform, ahead of the real one. */
let aheadMs = 0
const now = () => Date.now() + aheadMs
const site = useSite({}, { now })

test('a machine that is driven away moves on its keys’ lists and alarms them, and a coarse fix moves no pin', async () => {
  const owner = await site.createUser()
  const machine = await site.createMachine({ owner: owner.userId })
  const { machineId } = machine
  const changes = new PlaceChanges({
    access: createAccess(site.db),
    facts: site.platform.facts,
    now,
  })
  const within = <T>(work: (trx: Transaction<DB>) => Promise<T>) => withTransaction(site.db, work)
  const lng = 120.99
  const receiver = await startGpsReceiver({ lat: 31.347, lng })
  onTestFinished(() => receiver.close())
  await within((trx) => changes.chooseWay(trx, machineId, { type: 1 }))
  const agent = await startRemoteAgent(site, machine, {
    remote: false,
    more: `position: [{ tcp: "127.0.0.1:${receiver.port}" }]`,
  })
  onTestFinished(() => agent.stop())
  const listed = async () => {
    const answer = await site.as(owner).call(machines.listMachines, {})
    return 'list' in answer ? answer.list.find((one) => one.machine_id === machineId) : undefined
  }
  await vi.waitFor(
    async () => expect(await listed()).toMatchObject({ lat: 31.347, source: 'gps', accuracy: 50 }),
    poll,
  )

  receiver.show({ lat: 31.397, lng })
  await vi.waitFor(async () => expect(await listed()).toMatchObject({ lat: 31.397 }), poll)
  const moved = async () =>
    (await site.as(owner).call(alarms.listAlarms, {})).list.filter(
      ({ key }) => key === platformAlarms.moved.key,
    )
  aheadMs += 10 * minuteMs
  await vi.waitFor(async () => {
    await within((trx) => changes.look(trx, machineId))
    expect(await moved()).toMatchObject([{ state: 'active', count: 1 }])
  }, poll)

  await site.as(owner).call(places.setPlaceByCoordinates, { machineID: machineId, lat: 31.4, lng: 120.99 })
  const wifi = { lat: 31.404, lng: 120.995, accuracyM: 800, source: 'wifi', at: now() } as const
  await within((trx) => changes.applyFix(trx, machineId, wifi))
  expect(await listed()).toMatchObject({ lat: 31.4, lng: 120.99, source: 'manual' })
}, 120_000)
