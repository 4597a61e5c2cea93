import {
  type BrandFields,
  onboarding as contract,
  enterprises,
  machines,
  type RequestOf,
} from '@busbar/contract'
import type { TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import mqtt from 'mqtt'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createBrand } from '../brands/index.ts'
import { removeAbandoned } from './onboarding-service.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
let clock = Date.now()
const range = { from: '0100000000000000000', to: '0199999999999999999' }
const site = useSite(
  { SELF_REGISTERED_PERSON_MAX: '3', SELF_REGISTERED_ENTERPRISE_MAX: '2' },
  { now: () => clock },
)
const none = useSite({
  SELF_REGISTERED_CODES: '5000000000000000000-5000000000000000001',
  SELF_REGISTERED_ENTERPRISE_MAX: '0',
})

beforeEach(() => {
  clock = Date.now()
})

const press = { name: 'Press 7', kind: 'agent' } as const
const tokenOf = (setupUrl: string) => setupUrl.split('/').at(-1) ?? ''
const connect = (user: TestUser, request: RequestOf<typeof contract.connectMachine> = press) =>
  site.as(user).call(contract.connectMachine, request)

/** A machine for an agent, and the token of its link. */
async function connectAgent(user: TestUser) {
  const made = await connect(user)
  return { ...made, token: tokenOf(made.link?.setupUrl ?? '') }
}
const take = (token: string) => site.as(undefined).call(contract.takeSetupSecret, { token })
const refusalOf = (
  route: typeof contract.takeSetupSecret | typeof contract.acknowledgeSetup,
  token: string,
) => site.refusalOf(undefined, route, { token })
const scriptOf = async (token: string, system = 'linux') =>
  (await fetch(`${site.url}/api/v1/setup/${token}?system=${system}`)).text()

/** Signs in as the machine once. */
async function goOnline(code: string, secret: string): Promise<void> {
  const client = await mqtt.connectAsync(site.mqttUrl, { username: code, password: secret, clientId: code })
  await client.endAsync()
}

async function createOtherBrand(host: string): Promise<void> {
  const versions = { latest: '1.4.2', lowest: '1.1.0' }
  const fields: BrandFields = {
    ...{ hosts: [host], isDefault: false, platformName: { cn: '甲', en: 'Other' } },
    ...{ logoUrl: '', logoDarkUrl: '', loginImageUrl: '', faviconUrl: '', accent: '#0b57d0' },
    ...{ emailSender: '', smsSignature: '', versions: { pc: versions, mobile: versions, tv: versions } },
    ...{ downloads: [], icp: '', visitDomain: '' },
  }
  const brandId = await createBrand(site.db, fields, { areApart: () => true })
  await site.platform.facts.record(site.db, { kind: 'brand.changed', brandId, at: Date.now() })
}

describe('a controller', () => {
  test('is registered under a code of the range, belongs to its maker, and is in their list', async () => {
    const user = await site.createUser()
    const made = await connect(user)
    expect(made.machineCode >= range.from && made.machineCode <= range.to).toBe(true)
    expect(made.secret).toBeNull()
    const { list } = (await site.as(user).call(machines.listMachines, {})) as { list: machines.MachineItem[] }
    expect(list).toMatchObject([{ machine_id: made.machineId, machine_name: 'Press 7', role: 'akey' }])
    // Others add it with its password, as any machine.
    const other = site.as(await site.createUser())
    const added = { machineName: 'Theirs', machineCode: made.machineCode, machinePwd: made.password }
    expect(await other.call(machines.addMachine, added)).toMatchObject({ limit_authority: 0 })
  })

  test('that speaks MQTT gets its secret and the addresses at once, and no link', async () => {
    const user = await site.createUser()
    const made = await connect(user, { name: 'Panel', kind: 'mqtt' })
    expect(made).toMatchObject({ link: null, addresses: { host: '127.0.0.1', mqttPort: site.mqttPort } })
    await goOnline(made.machineCode, made.secret ?? '')
    await vi.waitFor(async () => {
      const { connectedAt } = await site.as(user).call(contract.getSetup, { machineId: made.machineId })
      expect(connectedAt).not.toBeNull()
    })
  })

  test('of an enterprise is registered by a member who manages, and becomes its device', async () => {
    const { eid } = await site.createEnterprise()
    const manager = await site.createMember(eid, 'member', ['manage'])
    const { machineId, link } = await connect(manager, { ...press, eid })
    const list = await site.as(manager).call(enterprises.listEnterpriseMachines, { eid })
    expect(list).toMatchObject({ list: [{ deviceid: machineId, machineName: 'Press 7' }] })
    // Another link, though they are not its Akey: it never was connected.
    const again = await site.as(manager).call(contract.createSetupLink, { machineId })
    expect(again.setupUrl).not.toBe(link?.setupUrl)
    expect(await refusalOf(contract.takeSetupSecret, tokenOf(link?.setupUrl ?? ''))).toBe(
      'SETUP_LINK_UNKNOWN',
    )
    const viewer = await site.createMember(eid, 'member', ['view'])
    expect(await site.refusalOf(viewer, contract.connectMachine, { ...press, eid })).toBe('403')
    expect(await site.refusalOf(viewer, contract.getOnboarding, { eid })).toBe('403')
  })

  test('connects for the first time once, however often it comes', async () => {
    const user = await site.createUser()
    const { machineId, machineCode, secret } = await connect(user, { name: 'Panel', kind: 'mqtt' })
    const kinds = async () => {
      const rows = await site.db
        .selectFrom('facts')
        .select('kind')
        .where('machine_id', '=', machineId)
        .execute()
      return rows.map(({ kind }) => kind).filter((kind) => kind.startsWith('machine.'))
    }
    await goOnline(machineCode, secret ?? '')
    await vi.waitFor(async () => expect(await kinds()).toContain('machine.connectedFirst'))
    await goOnline(machineCode, secret ?? '')
    const wanted = (kind: string) => kind === 'machine.online'
    await vi.waitFor(async () => expect((await kinds()).filter(wanted)).toHaveLength(2))
    expect((await kinds()).filter((kind) => kind === 'machine.connectedFirst')).toHaveLength(1)
  })
})

describe('self-registration', () => {
  test('ends at the limit of a person, also for machines that they gave away', async () => {
    const user = await site.createUser()
    for (const name of ['One', 'Two', 'Three']) await connect(user, { ...press, name })
    const { list } = (await site.as(user).call(machines.listMachines, {})) as { list: machines.MachineItem[] }
    await site.as(user).call(machines.removeMachine, { delMachineID: list[0]?.machine_id ?? 0 })
    expect(await site.as(user).call(contract.getOnboarding, {})).toEqual({ used: 3, max: 3 })
    const before = await countMachines()
    expect(await site.refusalOf(user, contract.connectMachine, press)).toBe('ONBOARDING_FULL')
    expect(await countMachines()).toBe(before)
  })

  test('of colleagues at once registers no more for their enterprise than it may', async () => {
    const { eid } = await site.createEnterprise()
    const colleagues = await Promise.all(
      Array.from({ length: 5 }, () => site.createMember(eid, 'member', ['manage'])),
    )
    const ends = await Promise.allSettled(colleagues.map((one) => connect(one, { ...press, eid })))
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    // Their own limits are not touched by it.
    expect(await site.as(colleagues[0] as TestUser).call(contract.getOnboarding, {})).toMatchObject({
      used: 0,
    })
  })

  test('with a name that the list has registers nothing', async () => {
    const user = await site.createUser()
    await connect(user)
    const before = await countMachines()
    expect(await site.refusalOf(user, contract.connectMachine, press)).toBe('04010412')
    expect(await countMachines()).toBe(before)
  })

  test('that is switched off, or whose codes are used up, registers nothing', async () => {
    const user = none.as(await none.createUser())
    const codes = new Set<string>()
    // One code of the range is an operator's machine from before it was one: it is skipped.
    await none.createMachine({ code: '5000000000000000000' })
    codes.add((await user.call(contract.connectMachine, press)).machineCode)
    expect([...codes]).toEqual(['5000000000000000001'])
    const other = await none.createUser()
    expect(await none.refusalOf(other, contract.connectMachine, press)).toBe('CODES_USED_UP')
    const { eid, owner } = await none.createEnterprise()
    expect(await none.refusalOf(owner, contract.connectMachine, { ...press, eid })).toBe('ONBOARDING_OFF')
    const rows = await none.db.selectFrom('machines').select('code').execute()
    expect(rows).toHaveLength(2)
  })

  test('leaves no machine behind that nobody wants: 30 days without an owner and a connection', async () => {
    const user = await site.createUser()
    const kept = await connect(user, { ...press, name: 'Kept' })
    const left = await connect(user, { ...press, name: 'Left' })
    const used = await connect(user, { name: 'Used', kind: 'http' })
    await site.db
      .insertInto('first_connections')
      .values({ machine_id: used.machineId, at: new Date() })
      .execute()
    for (const { machineId } of [left, used])
      await site.as(user).call(machines.removeMachine, { delMachineID: machineId })
    const ids = [kept, left, used].map(({ machineId }) => machineId)
    const remaining = async (now: number) => {
      await removeAbandoned({ db: site.db, now: () => now })
      const rows = await site.db.selectFrom('machines').select('id').where('id', 'in', ids).execute()
      return rows.map(({ id }) => id).sort()
    }
    expect(await remaining(clock + 29 * dayMs)).toEqual(ids)
    expect(await remaining(clock + 31 * dayMs)).toEqual([kept.machineId, used.machineId])
    expect(await site.as(user).call(contract.getOnboarding, {})).toMatchObject({ used: 2 })
  })

  const countMachines = async () => (await site.db.selectFrom('machines').select('id').execute()).length
})

describe('a setup link', () => {
  test('hands the secret out until it is acknowledged, and the agent signs in with it', async () => {
    const user = await site.createUser()
    const { machineId, machineCode, token } = await connectAgent(user)
    const first = await take(token)
    expect(first).toMatchObject({ machineCode, remote: 'drivers', urls: { web: site.url } })
    // An agent that was interrupted begins anew.
    expect(await take(token)).toEqual(first)
    await site.as(undefined).call(contract.acknowledgeSetup, { token })
    await site.as(undefined).call(contract.acknowledgeSetup, { token })
    expect(await refusalOf(contract.takeSetupSecret, token)).toBe('SETUP_LINK_USED')
    const { link } = await site.as(user).call(contract.getSetup, { machineId })
    expect(link).toMatchObject({ askedAt: expect.any(Number), acknowledgedAt: expect.any(Number) })
    await goOnline(machineCode, first.secret)
  })

  test('keeps no secret in the database that can be read there, and none after it was used', async () => {
    const { token, machineId } = await connectAgent(await site.createUser())
    const { secret } = await take(token)
    const kept = async () => {
      const row = await site.db
        .selectFrom('setup_links')
        .selectAll()
        .where('machine_id', '=', machineId)
        .executeTakeFirstOrThrow()
      return row
    }
    const { secret: sealed, token_hash } = await kept()
    expect(sealed?.includes(secret)).toBe(false)
    expect(token_hash.includes(token)).toBe(false)
    await site.as(undefined).call(contract.acknowledgeSetup, { token })
    expect((await kept()).secret).toBeNull()
  })

  test('that is used late is refused by name, and by a script that says so in both languages', async () => {
    const { token } = await connectAgent(await site.createUser())
    clock += contract.setupLinkMinutes * minuteMs
    expect(await refusalOf(contract.takeSetupSecret, token)).toBe('SETUP_LINK_OVER')
    expect(await refusalOf(contract.acknowledgeSetup, token)).toBe('SETUP_LINK_OVER')
    const script = await scriptOf(token)
    expect(script).toContain('安装链接已过期')
    expect(script).toMatch(/expired[^\n]*>&2\nexit 1\n$/)
    expect(await scriptOf(token, 'windows')).toMatch(/^throw '安装链接已过期/)
  })

  test('whose secret was fetched in time can be acknowledged late', async () => {
    const { token } = await connectAgent(await site.createUser())
    await take(token)
    clock += contract.setupLinkMinutes * minuteMs
    await site.as(undefined).call(contract.acknowledgeSetup, { token })
  })

  test('from another brand’s address is refused, and stays good', async () => {
    const host = 'other-brand.example'
    await createOtherBrand(host)
    const { token } = await connectAgent(await site.createUser())
    const askedAt = (path: string) =>
      site.platform.app.inject({ method: 'POST', url: path, headers: { host }, payload: {} })
    await vi.waitFor(async () => {
      const { body } = await askedAt(`/api/v1/setup/${token}/secret`)
      expect(JSON.parse(body)).toMatchObject({ error: { code: 'SETUP_LINK_ELSEWHERE' } })
    })
    expect((await take(token)).secret).toBeTruthy()
  })

  test('ends with the secret that it hands out, and with the machine’s owner', async () => {
    const user = await site.createUser()
    const { token, machineId } = await connectAgent(user)
    const again = await site.as(user).call(contract.createSetupLink, { machineId })
    expect(await refusalOf(contract.takeSetupSecret, token)).toBe('SETUP_LINK_UNKNOWN')
    const next = tokenOf(again.setupUrl)
    await take(next)
    await site.as(user).call(machines.removeMachine, { delMachineID: machineId })
    expect(await refusalOf(contract.takeSetupSecret, next)).toBe('SETUP_LINK_UNKNOWN')
  })

  test('for a machine that was connected takes a proof of the password, as a new secret does', async () => {
    const user = await site.createUser()
    const { machineId, machineCode, token } = await connectAgent(user)
    const { secret } = await take(token)
    await goOnline(machineCode, secret)
    await vi.waitFor(async () => {
      expect(await site.refusalOf(user, contract.createSetupLink, { machineId })).toBe('PROOF_NEEDED')
    })
    await site.proveSession(user.sessionId, new Date(clock))
    const { setupUrl } = await site.as(user).call(contract.createSetupLink, { machineId })
    expect((await take(tokenOf(setupUrl))).secret).not.toBe(secret)
    await expect(goOnline(machineCode, secret)).rejects.toThrow()
  })

  test('of a machine that an operator registered takes the same proof', async () => {
    const user = await site.createUser()
    const { machineId } = await site.createMachine({ owner: user.userId })
    expect(await site.refusalOf(user, contract.createSetupLink, { machineId })).toBe('PROOF_NEEDED')
  })

  test('cannot be guessed for long: an address has 120 tries a minute, as scripts and as calls', async () => {
    const guess = async (n: number) => {
      const token = String(n).padStart(43, 'a')
      return (await fetch(`${none.url}/api/v1/setup/${token}`)).text()
    }
    const said = await Promise.all(Array.from({ length: 125 }, (_, n) => guess(n)))
    expect(said.filter((text) => text.includes('安装链接无效'))).toHaveLength(120)
    // Piped into a shell, it says so there.
    expect(said.filter((text) => /^echo '.*'? >&2\nexit 1\n$/s.test(text))).toHaveLength(125)
    const token = 'a'.repeat(43)
    expect(await none.refusalOf(undefined, contract.takeSetupSecret, { token })).toBe('429')
  })

  test('that is guessed is unknown', async () => {
    expect(await refusalOf(contract.takeSetupSecret, 'a'.repeat(43))).toBe('SETUP_LINK_UNKNOWN')
    expect(await scriptOf('a'.repeat(43))).toContain('安装链接无效')
  })
})
