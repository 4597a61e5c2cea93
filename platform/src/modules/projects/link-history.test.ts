import { access, operator, projects } from '@busbar/contract'
import type { TestUser } from '@busbar/testkit'
import { pickSeeds } from '@busbar/testkit/seeds.ts'
import { useSite } from '@busbar/testkit/test-site.ts'
import { describe, expect, test } from 'vitest'
import { createRandom } from '../../../test-support/histories/random.ts'
import { uncounted } from '../../../test-support/http/uncounted.ts'
import { withTransaction } from '../../kernel/database/database.ts'
import { changeOwner, lockMachine } from '../access/index.ts'

const site = useSite({}, { rateCounters: uncounted })

const soon = { interval: 10 }
/** A machine in the model. */
interface Modelled {
  readonly machineId: number
  akey: TestUser
  /** The members with a key. */
  readonly keys: Set<TestUser>
  link: { by: TestUser; hasEnded: boolean } | undefined
}

describe('a machine of a project reports exactly while the model says so, a second after each act', () => {
  test.each(pickSeeds())('history %i', async (seed) => {
    const random = createRandom(seed)
    const owner = site.as(await site.createUser())
    const { id } = await owner.call(projects.createProject, { name: 'Portal' })
    const people = await Promise.all(Array.from({ length: 3 }, () => site.createUser()))
    const members = new Set<TestUser>()
    let isReporting = true
    const machines: Modelled[] = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const akey = await site.createUser()
        const { machineId } = await site.createMachine({ owner: akey.userId })
        return { machineId, akey, keys: new Set<TestUser>(), link: undefined }
      }),
    )
    const lose = (machine: Modelled, person?: TestUser) => {
      if (machine.link && (person === undefined || machine.link.by === person)) machine.link.hasEnded = true
    }
    const acts: Record<string, (machine: Modelled, person: TestUser) => Promise<void>> = {
      async join(_, person) {
        if (members.has(person)) return
        await owner.call(projects.addProjectUser, { id, account: person.email })
        await site.as(person).call(projects.answerProjectInvitation, { id, accept: true })
        members.add(person)
      },
      async leave(_, person) {
        if (!members.delete(person)) return
        await owner.call(projects.removeProjectUser, { id, delUserId: person.userId })
        for (const machine of machines) lose(machine, person)
      },
      async give({ machineId, keys }, person) {
        if (keys.has(person)) return
        const grant = { machine_id: machineId, user_id: person.userId, role: 'bkey' }
        await site.db
          .deleteFrom('machine_blacklist')
          .where('machine_id', '=', machineId)
          .where('user_id', '=', person.userId)
          .execute()
        await site.db.insertInto('machine_grants').values(grant).execute()
        keys.add(person)
      },
      async take(machine, person) {
        if (!machine.keys.delete(person)) return
        const { machineId, akey } = machine
        await site.as(akey).call(access.addToBlacklist, { deviceId: machineId, userId: person.userId })
        lose(machine, person)
      },
      async add(machine, person) {
        const isLet = members.has(person) && machine.keys.has(person)
        const named = { id, machineId: machine.machineId }
        const route = machine.link ? projects.takeProjectMachineOver : projects.addProjectMachine
        const refusal = isLet ? undefined : members.has(person) ? 'WRONG_ROLE' : '403'
        if (refusal) expect(await site.refusalOf(person, route, named)).toBe(refusal)
        else await site.as(person).call(route, named)
        if (isLet) machine.link = { by: person, hasEnded: false }
      },
      async remove(machine) {
        if (!machine.link) return
        await owner.call(projects.removeProjectMachine, { id, machineId: machine.machineId })
        machine.link = undefined
      },
      async turn() {
        isReporting = !isReporting
        await owner.call(projects.updateProject, { id, report_state: isReporting ? 1 : 0 })
      },
      async sell(machine) {
        const { machineId } = machine
        const next = await site.createUser()
        await withTransaction(site.db, async (trx) => {
          await lockMachine(trx, machineId)
          await changeOwner(
            { trx, facts: site.platform.facts },
            machineId,
            { userId: next.userId },
            new Date(),
          )
        })
        machine.akey = next
        machine.keys.clear()
        lose(machine)
      },
    }
    const seen = new Map<string, number>()
    for (let step = 0; step < 60; step++) {
      const name = random.pick(Object.keys(acts) as [string, ...string[]])
      const [machine, person] = [random.pick(machines as [Modelled]), random.pick(people as [TestUser])]
      await acts[name]?.(machine, person)
      seen.set(name, (seen.get(name) ?? 0) + 1)
      const wanted = machines
        .filter(({ link }) => isReporting && link && !link.hasEnded)
        .map(({ machineId }) => machineId)
        .sort()
      const told = () => {
        const { links } = site.platform.projects
        const plan = links.listPlans().find(({ projectId }) => projectId === id)
        const active = plan?.links.filter(({ linkId }) => links.isActive(linkId)) ?? []
        return active.map(({ machineId }) => machineId).sort()
      }
      await expect.poll(told, { ...soon, message: `step ${step}: ${name}` }).toEqual(wanted)
    }
    expect(seen.size).toBe(Object.keys(acts).length)
  })
})

describe('a machine of an enterprise’s project', () => {
  async function createLink() {
    const { eid, owner } = await site.createEnterprise()
    await site.db.updateTable('enterprises').set({ enable_project: true }).where('id', '=', eid).execute()
    const { machineId } = await site.createEnterpriseMachine(eid)
    const boss = site.as(owner)
    const { id } = await boss.call(projects.createProject, { name: 'Line', eid, type: 1 })
    await boss.call(projects.addProjectMachine, { id, machineId })
    const isHeld = () => site.platform.projects.links.find(id, machineId) !== undefined
    await expect.poll(isHeld, soon).toBe(true)
    return { eid, owner, id, machineId, isHeld }
  }
  const createOperator = async () => {
    const person = await site.createUser()
    await site.db.updateTable('users').set({ is_operator: true }).where('id', '=', person.userId).execute()
    return site.as(person)
  }

  test('pauses while the enterprise is locked or has no projects, and goes on by itself', async () => {
    const { eid, isHeld } = await createLink()
    const boss = await createOperator()
    await boss.call(operator.updateEnterprise, { eid, state: 'locked' })
    await expect.poll(isHeld, soon).toBe(false)
    await boss.call(operator.updateEnterprise, { eid, state: 'active' })
    await expect.poll(isHeld, soon).toBe(true)
    await boss.call(operator.updateEnterprise, { eid, enableProject: false })
    await expect.poll(isHeld, soon).toBe(false)
    await boss.call(operator.updateEnterprise, { eid, enableProject: true })
    await expect.poll(isHeld, soon).toBe(true)
  })

  test('pauses while the member who stands for it is locked, and while an operator stopped the project', async () => {
    const { owner, id, machineId, isHeld } = await createLink()
    const boss = await createOperator()
    await boss.call(operator.updateUser, { id: owner.userId, state: 'locked' })
    await expect.poll(isHeld, soon).toBe(false)
    await boss.call(operator.updateUser, { id: owner.userId, state: 'active' })
    await expect.poll(isHeld, soon).toBe(true)
    await boss.call(projects.stopProject, { id, stopped: true })
    const isReporting = () => site.platform.projects.links.find(id, machineId)?.isReporting
    await expect.poll(isReporting, soon).toBe(false)
    await boss.call(projects.stopProject, { id, stopped: false })
    await expect.poll(isReporting, soon).toBe(true)
  })
})
