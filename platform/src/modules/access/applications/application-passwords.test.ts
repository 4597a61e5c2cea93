import { access, applications as contract } from '@busbar/contract'
import type { TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { describe, expect, test } from 'vitest'
import {
  ask,
  createAsker,
  createSetup,
  findGrant,
  listKinds,
  machinePassword,
  type Setup,
  verify,
} from '../../../../test-support/applications/application-setup.ts'

const site = useSite()

const { waitsForBkey, refusedByAkey, passed } = contract.auditStates
const passwordMode = { checkType: 1 } as const

const prove = async (person: TestUser, machineId: number): Promise<string> => {
  const input = { machineID: machineId, password: machinePassword }
  return (await site.as(person).call(contract.checkMachinePassword, input)).ticket
}
const codeOf = async (person: TestUser, machineId: number, ticket: string) =>
  await site.refusalOf(person, contract.applyForBind, { machineID: machineId, ticket })

const mayBind = async (setup: Setup, ticket: string) =>
  (await ask(site, setup, 'bind', { ticket })).auditState === passed

describe('a machine’s password', () => {
  test('makes a person Bkey at once and notifies the keys', async () => {
    const setup = await createSetup(site, passwordMode)
    const ticket = await prove(setup.asker, setup.machineId)
    expect(await mayBind(setup, ticket)).toBe(true)
    expect(await findGrant(site, setup.machineId, setup.asker)).toMatchObject({ role: 'bkey' })
    for (const key of [setup.akey, setup.bkey]) expect(await listKinds(site, key)).toEqual(['passwordPassed'])
    expect(await listKinds(site, setup.asker)).toEqual(['bindSuccess'])
  })

  test('admits a visitor read-write for an hour, also one who applied already', async () => {
    const setup = await createSetup(site, passwordMode)
    const { applyId } = await ask(site, setup, 'visit')
    const ticket = await prove(setup.asker, setup.machineId)
    expect(await ask(site, setup, 'visit', { ticket })).toEqual({ applyId, auditState: passed })
    const grant = await findGrant(site, setup.machineId, setup.asker)
    expect(grant).toMatchObject({ role: 'visitor', read_only: false })
    const minutes = ((grant?.until?.getTime() ?? 0) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(59)
    expect(minutes).toBeLessThanOrEqual(60)
  })

  test('does not turn a read-only visit without expiry into a read-write one without expiry', async () => {
    const setup = await createSetup(site, passwordMode)
    const { machineId } = setup
    const asker = await site.createHolder(machineId, { role: 'visitor', readOnly: true })
    await ask(site, { machineId, asker }, 'visit', { ticket: await prove(asker, machineId) })
    const grant = await findGrant(site, machineId, asker)
    expect(grant?.read_only).toBe(false)
    expect(grant?.until?.getTime()).toBeLessThanOrEqual(Date.now() + 3_600_000)
  })

  test('is proved for one person, one machine and one use', async () => {
    const setup = await createSetup(site, passwordMode)
    const other = await createSetup(site, passwordMode)
    const ticket = await prove(setup.asker, setup.machineId)
    const thief = await createAsker(site, setup.machineId)
    expect(await codeOf(thief, setup.machineId, ticket)).toBe('505')
    expect(await codeOf(other.asker, other.machineId, ticket)).toBe('505')
    expect(await codeOf(setup.asker, setup.machineId, 'guessed')).toBe('505')
    expect(await mayBind(setup, ticket)).toBe(true)
    await site.db.deleteFrom('machine_grants').where('user_id', '=', setup.asker.userId).execute()
    expect(await codeOf(setup.asker, setup.machineId, ticket)).toBe('505')
    const kept = await site.db.selectFrom('machine_password_tickets').select('ticket_hash').execute()
    expect(kept).toEqual([])
  })

  test('a proof from before the password or the mode changed lets nobody in', async () => {
    const changed = await createSetup(site, passwordMode)
    const first = await prove(changed.asker, changed.machineId)
    await site.proveSession(changed.akey.sessionId)
    await site
      .as(changed.akey)
      .call(access.setMachinePassword, { machineID: changed.machineId, password: 'Another-9-one' })
    expect(await codeOf(changed.asker, changed.machineId, first)).toBe('505')

    const left = await createSetup(site, passwordMode)
    const second = await prove(left.asker, left.machineId)
    const set = (checkType: 0 | 1) =>
      site
        .as(left.akey)
        .call(access.updateMachineInfo, { machineCode: left.code, checkType, password: machinePassword })
    await set(0)
    expect(await codeOf(left.asker, left.machineId, second)).toBe('505')
    await set(1)
    expect(await codeOf(left.asker, left.machineId, second)).toBe('505')
  })

  test('is refused after five wrong ones, and the keys are notified once', async () => {
    const setup = await createSetup(site, passwordMode)
    const { asker, machineId } = setup
    const attempt = async (password: string) =>
      await site.refusalOf(asker, contract.checkMachinePassword, { machineID: machineId, password })
    for (let count = 0; count < 5; count++) expect(await attempt('wrong-password')).toBe('505')
    expect(await attempt(machinePassword)).toBe('04010114')
    expect(await attempt(machinePassword)).toBe('04010114')
    for (const key of [setup.akey, setup.bkey]) expect(await listKinds(site, key)).toEqual(['passwordTries'])
  })

  test('is refused in the other mode and from strangers', async () => {
    const [setup, other] = [await createSetup(site), await createSetup(site, passwordMode)]
    const input = { machineID: setup.machineId, password: machinePassword }
    const check = async (person: TestUser, machineID: number) =>
      await site.refusalOf(person, contract.checkMachinePassword, { ...input, machineID })
    expect(await check(setup.asker, setup.machineId)).toBe('PASSWORD_MODE_OFF')
    expect(await check(setup.asker, other.machineId)).toBe('GENERAL_USER')
    expect(await check(setup.asker, 999_999_999)).toBe('GENERAL_USER')
  })
})

describe('without the password, in password mode', () => {
  test('the Akey alone decides who becomes Bkey; a Bkey still lets visitors in', async () => {
    const setup = await createSetup(site, passwordMode)
    const bind = await ask(site, setup, 'bind')
    const verdict = { applyId: bind.applyId, pass: true }
    expect(await site.refusalOf(setup.bkey, contract.verifyBind, verdict)).toBe('01010306')
    expect(await verify(site, setup.akey, 'bind', { ...verdict, pass: false })).toBe(refusedByAkey)
    const visit = await ask(site, setup, 'visit')
    expect(await verify(site, setup.bkey, 'visit', { ...verdict, applyId: visit.applyId })).toBe(passed)
  })

  test('the mode is read when a key answers', async () => {
    const setup = await createSetup(site)
    const { applyId } = await ask(site, setup, 'bind')
    expect(await verify(site, setup.akey, 'bind', { applyId, pass: true })).toBe(waitsForBkey)
    await site
      .as(setup.akey)
      .call(access.updateMachineInfo, { machineCode: setup.code, checkType: 1, password: machinePassword })
    const verdict = { applyId, pass: true }
    expect(await site.refusalOf(setup.bkey, contract.verifyBind, verdict)).toBe('01010306')
    expect(await verify(site, setup.akey, 'bind', verdict)).toBe(passed)
  })

  test('a Bkey can propose nobody', async () => {
    const setup = await createSetup(site, passwordMode)
    const push = { account: setup.asker.email, machineID: setup.machineId }
    expect(await site.refusalOf(setup.bkey, access.addBkey, push)).toBe('01010306')
    expect(await site.as(setup.akey).call(access.addBkey, push)).toMatchObject({
      auditState: passed,
      applyId: null,
    })
  })
})
