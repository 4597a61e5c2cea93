import type { ClientHttp2Stream } from 'node:http2'
import { Duplex } from 'node:stream'
import { type checks as contract, platformAlarms } from '@busbar/contract'
import { type AgentHealth, type AgentProbed, agentServicePath, type ProbeCode } from '@busbar/link'
import type { TestMachine, TestUser } from '@busbar/testkit'
import { useDatabase } from '@busbar/testkit/test-site.ts'
import { describe, expect, test } from 'vitest'
import type { MachinePresence, TunnelLine } from '../../edge-link/edge-link.ts'
import { NotReachable } from '../../edge-link/not-reachable.ts'
import { createAccess } from '../access/index.ts'
import { type Cause, findCause } from './find-cause.ts'
import { type Browser, gatherParts } from './gather.ts'

const database = useDatabase()
const at = Date.now()
const address = '203.0.113.9'
const gigabyte = 1024 ** 3

const well: AgentHealth = {
  version: '1.7.0',
  node: 'v26.12.1',
  system: 'linux x64',
  at,
  uptimeMs: 3_600_000,
  load: 0.2,
  processors: 2,
  memory: { usedBytes: gigabyte, freeBytes: gigabyte },
  disk: { freeBytes: 8 * gigabyte, totalBytes: 16 * gigabyte },
  outbox: { waiting: 0, oldestAt: null, dropped: 0, isDiskWell: true },
  clockAheadMs: 3,
  line: { isOnline: true, family: 'IPv4', proxy: null, tls: null, roundTripMs: 20, failures: [] },
  connections: ['press', 'boiler'].map((name) => ({
    name,
    driver: 'modbus-tcp',
    remote: true,
    tags: 3,
    state: 'online',
    failure: null,
    valueAgeMs: 100,
  })),
}

/** The world in which a check looks for its cause; by default everything is well. */
interface World {
  /** Null: its process does not answer. */
  online?: boolean | null
  /** Null: it does not answer; 'none': there is no tunnel. */
  agent?: AgentHealth | null | 'none'
  /** Null: the agent does not get done with it. */
  probes?: Readonly<Record<string, ProbeCode | null>>
  roundTripMs?: number
  clockOffsetMs?: number
  browser?: Partial<Browser>
  /** Changes rows before the check; answers the person who asks, the Akey otherwise. */
  arrange?(machine: TestMachine, akey: TestUser): Promise<TestUser | undefined>
}

const agent = (news: Partial<AgentHealth>): World => ({ agent: { ...well, ...news } })
/** The agent reads nothing from the first connection. */
const offline = agent({
  connections: well.connections.map((one) => (one.name === 'press' ? { ...one, state: 'offline' } : one)),
})
const probed = (press: ProbeCode): World => ({ probes: { press } })
const away = (arrange?: World['arrange']): World => ({
  online: false,
  agent: 'none',
  ...(arrange && { arrange }),
})
const lineTrouble = (reason: string): World => ({
  online: false,
  agent: { ...well, line: { ...well.line, isOnline: false, failures: [{ at, reason }] } },
})

/** A connection that was there until a minute ago. */
async function addPast(machineId: number, protocol = 'tcp'): Promise<undefined> {
  const times = { started_at: new Date(at - 3_600_000), last_seen_at: new Date(at - 60_000) }
  await database.db
    .insertInto('machine_connections')
    .values({ machine_id: machineId, protocol, address, ended_at: times.last_seen_at, ...times })
    .execute()
  await setMachine(machineId, { last_seen_at: times.last_seen_at })
}

async function setMachine(
  machineId: number,
  columns: {
    last_seen_at?: Date
    attributes?: string
    cloud_service?: boolean
    owner_user_id?: null
    owner_enterprise_id?: number
  },
): Promise<undefined> {
  await database.db.updateTable('machines').set(columns).where('id', '=', machineId).execute()
}

async function note(machineId: number, columns: object): Promise<undefined> {
  await database.db
    .insertInto('line_notes')
    .values({ machine_id: machineId, ...columns })
    .execute()
}

/** A machine that went a minute ago, with this attribute. */
const wentWith = (attributes: object) =>
  away(async ({ machineId }) => {
    await addPast(machineId)
    return setMachine(machineId, { attributes: JSON.stringify(attributes) })
  })

const endedBy = (reason: string) =>
  away(async ({ machineId }) => {
    await addPast(machineId)
    return note(machineId, { ended_at: new Date(at - 60_000), end_reason: reason })
  })

function refusedFrom(from: string) {
  return away(async ({ machineId }) => {
    await addPast(machineId)
    return note(machineId, { refused_at: new Date(at - 5_000), refused_from: from })
  })
}

/** Somebody beside the Akey who asks. */
const asked = (by: (machine: TestMachine) => Promise<TestUser>): World => ({ arrange: by })

type Fault = readonly [fault: string, world: World, cause: Cause, isSure: boolean]

const faults: readonly Fault[] = [
  ['the process that holds it is gone', { online: null, agent: 'none' }, 'platformFault', true],
  [
    'the blacklist names the person',
    asked(async ({ machineId }) => {
      const person = await database.createUser()
      await database.listMachine(person.userId, machineId)
      await database.blacklistUser(person.userId, machineId)
      return person
    }),
    'blacklisted',
    true,
  ],
  [
    'the right was taken',
    asked(async ({ machineId }) => {
      const person = await database.createUser()
      await database.listMachine(person.userId, machineId)
      return person
    }),
    'noRight',
    true,
  ],
  [
    'the visit time is over',
    asked(async ({ machineId }) => {
      const person = await database.createUser()
      await database.grantMachine(person.userId, machineId, { role: 'visitor', until: new Date(at - 1_000) })
      return person
    }),
    'visitOver',
    true,
  ],
  [
    'the enterprise that owns it is locked',
    asked(async ({ machineId }) => {
      const { eid } = await database.createEnterprise()
      const member = await database.createMember(eid, 'admin', [])
      await setMachine(machineId, { owner_user_id: null, owner_enterprise_id: eid })
      await database.db.updateTable('enterprises').set({ state: 'locked' }).where('id', '=', eid).execute()
      return member
    }),
    'ownerLocked',
    true,
  ],
  [
    'the cloud service is off',
    { arrange: async ({ machineId }) => setMachine(machineId, { cloud_service: false }) },
    'cloudServiceOff',
    true,
  ],
  [
    'the access is read-only',
    asked(({ machineId }) => database.createHolder(machineId, { role: 'visitor', readOnly: true })),
    'readOnly',
    true,
  ],
  ['it never connected', away(), 'neverConnected', false],
  ['its power is off', away(({ machineId }) => addPast(machineId)), 'away', false],
  ['its network broke off', endedBy('silence'), 'away', false],
  ['its program was stopped', endedBy('goodbye'), 'agentStopped', false],
  ['its secret was renewed', endedBy('secretRenewed'), 'secretRenewed', false],
  ['its messages were refused', endedBy('messagesRefused'), 'messagesRefused', false],
  ['its secret is wrong', refusedFrom(address), 'secretRefused', true],
  ['somebody elsewhere tries its code', refusedFrom('198.51.100.7'), 'secretRefused', false],
  [
    'the internet of its site broke down',
    away(async ({ machineId }, akey) => {
      const others = [1, 2].map(() => database.createMachine({ owner: akey.userId }))
      for (const machine of await Promise.all(others)) await addPast(machine.machineId)
      return addPast(machineId)
    }),
    'siteAway',
    false,
  ],
  ['its SIM is suspended', wentWith({ sim: 'suspended' }), 'simStopped', false],
  ['its SIM is in arrears', wentWith({ simState: '欠费停机' }), 'simStopped', false],
  ['its signal was weak', wentWith({ signal: '-111 dBm' }), 'weakSignal', false],
  [
    'two computers use its secret',
    {
      async arrange({ machineId }) {
        const { key, text } = platformAlarms.takeover
        const times = { raised_at: new Date(at), received_at: new Date(at) }
        const alarm = { machine_id: machineId, key, level: 'major', text: JSON.stringify(text), ...times }
        await database.db.insertInto('alarms').values(alarm).execute()
        return undefined
      },
    },
    'twoUsers',
    true,
  ],
  ['the port for values is blocked', { online: false }, 'mqttBlocked', false],
  ['a proxy refuses its connection', lineTrouble('the proxy answered 407'), 'proxyFails', false],
  [
    'its DNS does not know the platform',
    lineTrouble('getaddrinfo ENOTFOUND busbar.example'),
    'dnsFails',
    false,
  ],
  [
    'a firewall replaces the certificate',
    lineTrouble('self-signed certificate in certificate chain'),
    'certificateReplaced',
    false,
  ],
  ['its agent hangs', { online: false, agent: null }, 'agentHangs', false],
  ['its agent hangs, and its values come', { agent: null }, 'agentSilent', false],
  ['its clock is an hour ahead', { clockOffsetMs: 3_600_000 }, 'clockWrong', true],
  ['its line is slow', { roundTripMs: 3_000 }, 'slowLine', false],
  [
    'WebSockets are blocked',
    { agent: 'none', arrange: async ({ machineId }) => note(machineId, { tunnel_at: new Date(at - 9_000) }) },
    'tunnelBlocked',
    false,
  ],
  ['its disk is full', agent({ disk: { freeBytes: 1_000, totalBytes: gigabyte } }), 'diskFull', true],
  ['its disk takes nothing', agent({ outbox: { ...well.outbox, isDiskWell: false } }), 'diskFull', true],
  [
    'its values wait',
    agent({ outbox: { ...well.outbox, waiting: 9, oldestAt: at - 900_000 } }),
    'backlog',
    false,
  ],
  ['its store overflowed', agent({ outbox: { ...well.outbox, dropped: 7 } }), 'valuesLost', false],
  ['its computer is overloaded', agent({ load: 9 }), 'overloaded', false],
  [
    'its computer has no memory',
    agent({ memory: { usedBytes: gigabyte, freeBytes: 1_000 } }),
    'memoryLow',
    false,
  ],
  ['it has no controller', agent({ connections: [] }), 'noConnections', true],
  ['the PLC is off', probed('timeout'), 'plcSilent', false],
  ['a serial line is silent', { ...offline, probes: { press: 'notProbed' } }, 'plcSilent', false],
  ['the PLC is silent, and the line slow', { ...offline, probes: { press: null } }, 'plcSilent', false],
  ['the PLC refuses the port', probed('refused'), 'plcRefused', true],
  ['the PLC has another address', probed('unreachable'), 'plcUnreachable', false],
  ['the unit id is wrong', probed('wrongUnit'), 'wrongUnit', false],
  ['the slot is wrong', probed('wrongSlot'), 'wrongSlot', false],
  ['the password is wrong', probed('wrongUser'), 'wrongUser', true],
  ['the PLC trusts no certificate', probed('certificate'), 'plcCertificate', true],
  ['another program listens there', probed('notThisProtocol'), 'notThisProtocol', true],
  ['a register does not exist', probed('readRefused'), 'tagRefused', true],
  [
    'the switch of the plant is off',
    { probes: { press: 'timeout', boiler: 'unreachable' } },
    'plantNetwork',
    false,
  ],
  ['the browser gets no push', { browser: { pushOpen: false } }, 'pushBlocked', false],
  ['the clock of the browser is wrong', { browser: { sentAt: at - 3_600_000 } }, 'browserClock', false],
]

/** A tunnel whose agent answers like this. */
function lineOf({ agent: health = well, probes = {}, roundTripMs = 20 }: World): TunnelLine | undefined {
  if (health === 'none') return undefined
  function answerTo(path: string, body: string): object | undefined {
    if (health === null) return undefined
    if (path === agentServicePath.health) return health as AgentHealth
    const { connection } = JSON.parse(body) as { connection: string }
    const code = probes[connection] === undefined ? 'ok' : probes[connection]
    if (code === null) return undefined
    return { code, reason: '', connectMs: 1, helloMs: 1, readMs: 1 } satisfies AgentProbed
  }
  return {
    ping: async () => roundTripMs,
    async openStream(headers: Readonly<Record<string, unknown>>) {
      let body = ''
      const stream: Duplex = new Duplex({
        read: () => undefined,
        write(chunk, _encoding, done) {
          body += String(chunk)
          done()
        },
        final(done) {
          reply()
          done()
        },
      })
      const reply = () => {
        const answer = answerTo(String(headers[':path']), body)
        if (answer === undefined) return
        stream.emit('response', { ':status': 200 })
        stream.push(JSON.stringify(answer))
        stream.push(null)
      }
      stream.on('error', () => undefined)
      if (headers[':method'] === 'GET') setImmediate(reply)
      return stream as unknown as ClientHttp2Stream
    },
  } as unknown as TunnelLine
}

function presenceOf({ online = true, clockOffsetMs = 5 }: World): MachinePresence {
  const connection = { protocol: 'tcp', address, startedAt: at - 60_000 }
  return {
    online: online === true,
    isHere: true,
    lastSeenAt: online ? at : undefined,
    connection: online ? connection : undefined,
    clock: online ? { offsetMs: clockOffsetMs, at } : undefined,
  }
}

async function check(world: World) {
  const akey = await database.createUser()
  const machine = await database.createMachine({ owner: akey.userId })
  const { machineId } = machine
  const { userId } = (await world.arrange?.(machine, akey)) ?? akey
  const access = createAccess(database.db)
  const link = {
    async presence() {
      if (world.online === null) throw new NotReachable()
      return new Map([[machineId, presenceOf(world)]])
    },
    tunnel: async () => lineOf(world),
  }
  const own = (await access.list(userId, [machineId], at)).get(machineId)
  if (!own) throw new Error('there is no such machine')
  const browser = { address: '192.0.2.1', pushOpen: true, sentAt: at, ...world.browser }
  const begunAt = performance.now()
  const gathered = gatherParts(
    { db: database.db, access, link, now: () => at },
    { machineId, userId, access: own, browser, at },
  )
  const parts = await Promise.all([...gathered].map(async ([part, found]) => ({ part, ...(await found) })))
  return { found: findCause(parts), parts, ms: performance.now() - begunAt }
}

const stateOf = (parts: Awaited<ReturnType<typeof check>>['parts'], part: contract.CheckPart) =>
  parts.find((one) => one.part === part)?.state

describe('the cause of a fault', () => {
  test.concurrent.for(faults)('%s: %o', async ([, world, cause, isSure]) => {
    const { found, ms } = await check(world)
    expect({ cause: found.cause, isSure: found.isSure }).toEqual({ cause, isSure })
    // All of them at once, on a machine that may be busy.
    expect(ms).toBeLessThan(30_000)
  })

  test('is nothing where all is well, and that is sure', async () => {
    const { found, parts } = await check({})
    expect(found).toEqual({ cause: 'nothing', who: 'nobody', isSure: true, connection: '' })
    expect(parts.map(({ state }) => state)).toEqual(parts.map(() => 'ok'))
  })

  test('names the connection at fault', async () => {
    const { found } = await check({ probes: { boiler: 'refused' } })
    expect(found).toMatchObject({ cause: 'plcRefused', connection: 'boiler' })
  })

  test('is not a trouble of its line that is over', async () => {
    const failures = [{ at: at - 3_600_000, reason: 'getaddrinfo ENOTFOUND busbar.example' }]
    const { found } = await check(agent({ line: { ...well.line, failures } }))
    expect(found.cause).toBe('nothing')
  })

  test('is found where a value came while the agent answered, which made its age negative', async () => {
    const [press] = well.connections
    const { found } = await check(agent({ connections: press ? [{ ...press, valueAgeMs: -1 }] : [] }))
    expect(found).toMatchObject({ cause: 'nothing', isSure: true })
  })

  test('is not said as sure of a device whose agent could not be asked', async () => {
    const { found, parts } = await check({ agent: 'none' })
    expect(found).toMatchObject({ cause: 'nothing', isSure: false })
    expect(stateOf(parts, 'agent')).toBe('unknown')
  })
})
