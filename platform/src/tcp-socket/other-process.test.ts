import { access, visits as contract } from '@busbar/contract'
import { portHeader, tunnelHeader } from '@busbar/link'
import { createMachine, createUser, grantMachine, type TestPlatform } from '@busbar/testkit'
import { startTestCluster, type TestCluster } from '@busbar/testkit/cluster.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PortAgent } from '../../test-support/ports/port-agent.ts'
import { openPorts, ProgramLine } from '../../test-support/ports/program-line.ts'

const deadline = { timeout: 10_000, interval: 10 }

let cluster: TestCluster
let holder: TestPlatform
let other: TestPlatform
beforeAll(async () => {
  cluster = await startTestCluster([{}, {}])
  const [first, second] = cluster.nodes
  if (!first || !second) throw new Error('the cluster has two nodes')
  holder = first
  other = second
})
afterAll(() => cluster.stop())

test('a stream goes on in another process than that of its machine, and in a third place after that', async () => {
  const { db } = cluster.database
  const owner = await createUser(db)
  const bkey = await createUser(db)
  const machine = await createMachine(db, { owner: owner.userId })
  const { machineId } = machine
  const grantId = await grantMachine(db, bkey.userId, machineId, { role: 'bkey' })
  const agent = await PortAgent.open(holder, machine)
  await expect.poll(() => other.platform.link.tunnel(machineId), deadline).toBeDefined()

  const visit = await openPorts(other, bkey, machineId)
  const line = await visit.line()
  expect(line.texts[0]).toEqual({ open: { from: 0, mode: 'rw' } })
  const far = agent.lineOf(line.streamId)
  expect(far.headers).toMatchObject({ [tunnelHeader.mode]: 'rw', [portHeader.reach]: 'user' })
  line.ws.send(Buffer.from('read 12'))
  await expect.poll(() => far.bytes, deadline).toBe('read 12')
  far.send({ kind: 'data', bytes: Buffer.from('answer') })
  far.send({ kind: 'counts', counts: { reads: 4, writes: 0, refused: 0 } })
  await expect.poll(() => [line.bytes, line.told('counts').length], deadline).toEqual(['answer', 1])
  const [ticket] = line.told('ticket') as string[]
  line.ws.terminate()
  await expect.poll(() => far.isClosed, deadline).toBe(true)
  expect(far.kinds).toEqual(['data'])

  const url = `${holder.url.replace('http', 'ws')}/visitPort`
  const wish = { stream: line.streamId, from: 6, resume: true }
  agent.answer = (again) => again.accept(7)
  const next = await ProgramLine.open(url, ticket ?? '', wish)
  expect(next.texts[0]).toEqual({ open: { from: 7, mode: 'rw' } })
  const again = agent.lineOf(line.streamId)
  // The first count here repeats what the other process has stored.
  for (const reads of [4, 6]) again.send({ kind: 'counts', counts: { reads, writes: 0, refused: 0 } })
  await expect.poll(() => next.told('counts').length, deadline).toBe(2)

  // The right goes in the one process, the line is at the other.
  await other.as(owner).call(access.updateLevel, { id: grantId, limit: 0 })
  await expect.poll(() => next.end, deadline).toBe('4403 rightLost')
  await expect.poll(() => again.kinds, deadline).toEqual(['over'])
  const stored = async () => {
    const wish = { machineId, page: 1, pageSize: 20 } as const
    return (await other.as(owner).call(contract.listVisits, wish)).list[0]?.ports
  }
  await expect.poll(stored, { timeout: 30_000, interval: 100 }).toMatchObject([{ streams: 1, reads: 6 }])
  agent.tunnel?.close()
})
