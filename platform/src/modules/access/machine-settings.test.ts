import { access, accounts } from '@busbar/contract'
import { failureOf } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { describe, expect, test } from 'vitest'
import { verifyPassword } from '../accounts/index.ts'

const site = useSite()

const password = 'label-password-1'

async function createOwned() {
  const akey = await site.createUser()
  const machine = await site.createMachine({ owner: akey.userId, password })
  return { akey, machine }
}

const findMachine = (machineId: number) =>
  site.db
    .selectFrom('machines')
    .select(['name', 'check_type', 'password_hash'])
    .where('id', '=', machineId)
    .executeTakeFirstOrThrow()

const listReasons = async (machineId: number) =>
  site.db
    .selectFrom('right_changes')
    .select(['user_id', 'reason'])
    .where('machine_id', '=', machineId)
    .orderBy('id')
    .execute()

async function ingest(code: string, secret: string): Promise<number> {
  const response = await fetch(`${site.url}/api/v1/ingest`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${code}:${secret}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: '{"temp":1}',
  })
  return response.status
}

describe('the secret', () => {
  test('needs the password proved in this very session, ten minutes ago at most', async () => {
    const { akey, machine } = await createOwned()
    const other = await site.signIn(akey.userId)
    await site.proveSession(other.sessionId)
    const reset = { machineID: machine.machineId }
    expect(await site.refusalOf(akey, access.resetSecret, reset)).toBe('PROOF_NEEDED')
    await site.proveSession(akey.sessionId, new Date(Date.now() - accounts.proofMs))
    expect(await site.refusalOf(akey, access.resetSecret, reset)).toBe('PROOF_NEEDED')
    const set = { ...reset, password: 'another-label-2' }
    expect(await site.refusalOf(akey, access.setMachinePassword, set)).toBe('PROOF_NEEDED')
    expect(await listReasons(machine.machineId)).toEqual([])
    await site.as(other).call(access.resetSecret, reset)
  })

  test('renewed, signs the machine in, and the old one does not', async () => {
    const { akey, machine } = await createOwned()
    await site.proveSession(akey.sessionId)
    expect(await ingest(machine.code, machine.secret)).toBe(200)
    const { secret } = await site.as(akey).call(access.resetSecret, { machineID: machine.machineId })
    expect(await ingest(machine.code, machine.secret)).toBe(401)
    expect(await ingest(machine.code, secret)).toBe(200)
    expect(await listReasons(machine.machineId)).toEqual([{ user_id: null, reason: 'secretReset' }])
  })
})

describe('the machine password', () => {
  test('an old one that is given must be right, and wrong ones are counted with all others', async () => {
    const { akey, machine } = await createOwned()
    await site.proveSession(akey.sessionId)
    const set = (oldPassword: string) => ({
      machineID: machine.machineId,
      password: 'another-label-2',
      oldPassword,
    })
    await site.as(akey).call(access.setMachinePassword, set(password))
    const { password_hash } = await findMachine(machine.machineId)
    expect(await verifyPassword('another-label-2', password_hash ?? '')).toBe(true)
    const codes: string[] = []
    for (let i = 0; i < 6; i++) {
      codes.push(await site.refusalOf(akey, access.setMachinePassword, set(password)))
    }
    expect(codes).toEqual([...Array(5).fill('505'), '04010114'])
    const info = { machineCode: machine.code, checkType: 1, password: 'another-label-2' } as const
    expect(await site.refusalOf(akey, access.updateMachineInfo, info)).toBe('04010114')
  })

  test('is not one of those everybody tries', async () => {
    const { akey, machine } = await createOwned()
    await site.proveSession(akey.sessionId)
    const set = { machineID: machine.machineId, password: 'password123' }
    expect((await failureOf(site.as(akey), access.setMachinePassword, set)).field).toBe('password')
  })
})

describe('the audit mode', () => {
  test('needs the password to let it approve applications', async () => {
    const { machine } = await createOwned()
    const bkey = await site.createHolder(machine.machineId, { role: 'bkey' })
    const set = (checkType: 0 | 1, given?: string) => ({
      machineCode: machine.code,
      machineName: '冲床 4',
      checkType,
      ...(given ? { password: given } : {}),
    })
    for (const given of [undefined, 'wrong password']) {
      expect((await failureOf(site.as(bkey), access.updateMachineInfo, set(1, given))).hwcode).toBe(505)
    }
    expect(await findMachine(machine.machineId)).not.toMatchObject({ name: '冲床 4' })
    await site.as(bkey).call(access.updateMachineInfo, set(1, password))
    expect(await findMachine(machine.machineId)).toMatchObject({ name: '冲床 4', check_type: 1 })
    // It is in that mode already, and changing back needs no password.
    await site.as(bkey).call(access.updateMachineInfo, set(1))
    await site.as(bkey).call(access.updateMachineInfo, set(0))
    expect((await listReasons(machine.machineId)).map(({ reason }) => reason)).toEqual([
      'checkType',
      'checkType',
    ])
  })
})

test('the cloud switch changes for everybody, and is published once', async () => {
  const { akey, machine } = await createOwned()
  const call = (state?: boolean) =>
    site.as(akey).call(access.setCloudService, {
      machineID: machine.machineId,
      ...(state === undefined ? {} : { state }),
    })
  expect(await call()).toEqual({ state: true })
  expect(await call(false)).toEqual({ state: false })
  expect(await call(false)).toEqual({ state: false })
  expect(await call()).toEqual({ state: false })
  expect(await listReasons(machine.machineId)).toEqual([{ user_id: null, reason: 'cloud' }])
})
