import { fromBinary } from '@bufbuild/protobuf'
import { type AnswerOf, visits as contract, type InputOf, type Route } from '@busbar/contract'
import { Scene, type VisitSession, VisitSessionSchema } from '@busbar/contract/push'
import type { AgentPort } from '@busbar/link'
import {
  createMachine,
  createTestDatabase,
  createUser,
  grantMachine,
  type TestDatabase,
  type TestMachine,
  type TestUser,
} from '@busbar/testkit'
import type { TunnelLine } from '../../src/edge-link/edge-link.ts'
import { createLocalBus } from '../../src/kernel/bus/bus.ts'
import { surround } from '../../src/kernel/database/after-commit.ts'
import { type Database, openDatabase } from '../../src/kernel/database/database.ts'
import { type UserEventRow, userEventsStream } from '../../src/kernel/events/user-events.ts'
import { Facts } from '../../src/kernel/facts/facts.ts'
import { StreamFollower } from '../../src/kernel/facts/stream-follower.ts'
import { silentLogger } from '../../src/kernel/logger.ts'
import type { NewRightChange } from '../../src/kernel/rights/right-changes.ts'
import { RightsWatch } from '../../src/kernel/rights/rights-watch.ts'
import { createFindDenial } from '../../src/modules/access/applications/index.ts'
import { createAccess } from '../../src/modules/access/index.ts'
import {
  createVisits,
  type OpenVisit,
  type VisitStream,
  type Visits,
} from '../../src/modules/visits/index.ts'
import type { Target } from '../../src/modules/visits/targets.ts'
import { Attendance } from '../../src/realtime/attendance.ts'

/** A stream of a visit that only remembers how it ended. */
export class TestStream implements VisitStream {
  cutBy: contract.VisitEndReason | undefined
  /** The harness's clock. */
  cutAt = 0
  readonly warnings: [reason: 'idle' | 'timeUp', at: number][] = []
  readonly #onCut: (() => void) | undefined

  constructor(onCut?: () => void) {
    this.#onCut = onCut
  }

  warn(reason: 'idle' | 'timeUp', at: number): void {
    this.warnings.push([reason, at])
  }

  cut(reason: contract.VisitEndReason): void {
    this.cutBy ??= reason
    this.cutAt = Date.now()
    this.#onCut?.()
  }
}

/** A message about a visit to a person. */
export interface Told {
  readonly userId: number
  readonly session: VisitSession
}

/** Visits on a real database with real rights; machines, pages and the clock are the test's. */
export interface VisitsHarness {
  readonly db: Database
  readonly visits: Visits
  readonly attendance: Attendance
  readonly told: Told[]
  readonly clock: { offsetMs: number }
  readonly rights: RightsWatch
  now(): number
  /** Lets a machine have a tunnel with these targets; an unlimitable page beside its own by default. */
  connect(machineId: number, targets?: readonly Target[], ports?: readonly AgentPort[]): void
  disconnect(machineId: number): void
  /** A person with a right to a machine. */
  person(machine: TestMachine, grant?: Parameters<typeof grantMachine>[3], name?: string): Promise<TestUser>
  /** Opens a visit through the port. */
  open(user: TestUser, machine: TestMachine, target?: string): ReturnType<Visits['visitPort']['open']>
  /** Opens a visit and enters it as a browser would. */
  enter(user: TestUser, machine: TestMachine, target?: string): Promise<Entered>
  /** Calls a route of visits; whether one may call it at all is not asked. */
  call<R extends Route>(user: TestUser, route: R, input: InputOf<R>): Promise<AnswerOf<R>>
  control(
    user: TestUser,
    visit: { visitId: number },
    action: 'take' | 'release' | 'hand' | 'keep',
    to?: { visitId: number },
  ): Promise<AnswerOf<typeof contract.controlVisit>>
  /** Another process on the same database. */
  startOther(): Promise<VisitsHarness>
  close(): Promise<void>
}

/** A browser inside a visit. */
export interface Entered {
  readonly visitId: number
  readonly cookie: string
  readonly host: string
  find(): ReturnType<Visits['visitPort']['find']>
  /** The visit; one that cannot be found is the test's failure. */
  visit(): Promise<OpenVisit>
}

export const page: Target = { name: 'page', readOnly: true }
export const hmi: Target = { name: 'hmi', readOnly: false }

/** Starts the services of visits on a separate database. */
export async function openVisitsHarness(): Promise<VisitsHarness> {
  const database = await createTestDatabase({ poolMax: 8 })
  const harness = await startHarness(database, database.db, { offsetMs: 0 })
  return {
    ...harness,
    async close() {
      await harness.close()
      await database.drop()
    },
  }
}

async function startHarness(
  database: TestDatabase,
  db: Database,
  clock: { offsetMs: number },
): Promise<VisitsHarness> {
  const now = () => Date.now() + clock.offsetMs
  const bus = createLocalBus(silentLogger)
  const parted = surround([db], {
    wake: (topic) => bus.publish(topic, {}),
    failed: (error) => process.emitWarning(String(error)),
  })
  const access = createAccess(db)
  const rights = new RightsWatch({ db, bus, logger: silentLogger })
  const attendance = new Attendance()
  const told: Told[] = []
  const tunnels = new Map<number, TunnelLine>()
  const listeners = new Set<(machineId: number) => void>()
  const setTunnel = (machineId: number, tunnel: TunnelLine | undefined) => {
    if (tunnel) tunnels.set(machineId, tunnel)
    else tunnels.delete(machineId)
    for (const listener of listeners) listener(machineId)
  }
  const facts = new Facts({ db, bus, logger: silentLogger, now })
  const visits = createVisits({
    db,
    facts,
    history: db,
    decisions: { db, access },
    bus,
    logger: silentLogger,
    access,
    enterByTicket: () => Promise.reject(new Error('no password is asked here')),
    findDenial: createFindDenial(db, access),
    rights,
    now,
    link: {
      tunnel: async (machineId) => tunnels.get(machineId),
      onTunnelChange(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    attendance,
    embeddings: { find: async () => undefined, isHeld: () => false, subscribe: () => () => undefined },
    address: {
      offersVisits: () => true,
      entryUrl: ({ code, target, path = '/' }) =>
        `https://${target === 'page' ? '' : `${target}--`}${code}.visit.test${path}`,
      parseHost: () => undefined,
      portsUrl: (host) => `wss://${host}/visitPort`,
    },
  })
  const events = new StreamFollower<UserEventRow>({
    db,
    bus,
    topic: 'userEvents',
    stream: userEventsStream,
    tell(rows) {
      for (const { user_id: userId, scene, body } of rows)
        if (scene === Scene.VISIT_SESSION)
          told.push({ userId, session: fromBinary(VisitSessionSchema, body) })
    },
    didFail: (error) => process.emitWarning(String(error)),
  })
  for (const follower of visits.follows) facts.follow(follower)
  await facts.start()
  await rights.start()
  await events.start()
  await visits.start()

  const call: VisitsHarness['call'] = async (user, route, input) => {
    const binding = visits.routes.find((one) => one.route === route)
    if (!binding) throw new Error(`${route.path} is not answered`)
    const context = { user, now: now(), lang: 'en', address: '127.0.0.1', host: 'console.test' }
    return (await binding.run(input as never, context as never)) as never
  }

  const open: VisitsHarness['open'] = (user, machine, target = 'page') =>
    visits.visitPort.open({ ...user, address: '127.0.0.1', now: now() }, machine.machineId, target)
  return {
    db,
    visits,
    attendance,
    told,
    clock,
    rights,
    now,
    open,
    call,
    control: (user, { visitId: sessionId }, action, to) =>
      call(user, contract.controlVisit, { sessionId, action, ...(to ? { to: to.visitId } : {}) }),
    connect(machineId, targets = [page, hmi], ports = []) {
      setTunnel(machineId, {
        isOpen: true,
        targets: async () => targets,
        ports: async () => ports,
        portsNow: async () => ports,
        remote: async () => [],
        ping: async () => 1,
        openStream: async () => 'busy',
      })
    },
    disconnect: (machineId) => setTunnel(machineId, undefined),
    async person(machine, grant, name = 'Lan') {
      const user = await createUser(db, { name })
      if (grant) await grantMachine(db, user.userId, machine.machineId, grant)
      return user
    },
    async enter(user, machine, target = 'page') {
      const { visitId } = await open(user, machine, target)
      const host = `${target}.${machine.code}`
      const code = await visits.visitPort.createCode(visitId, host, 'state', now())
      const swapped = await visits.visitPort.swapCode(code, host, 'state', now())
      if (!swapped) throw new Error('the code was not swapped')
      const { cookie } = swapped
      const find = () => visits.visitPort.find(cookie, host, now())
      return {
        ...{ visitId, cookie, host, find },
        async visit() {
          const found = await find()
          if (typeof found === 'object' && 'visitId' in found) return found
          throw new Error(`no visit: ${JSON.stringify(found)}`)
        },
      }
    },
    // Another process has a separate pool: its commits do not wake this one.
    async startOther() {
      const beside = openDatabase(database.connection, { poolMax: 4 })
      const other = await startHarness(database, beside, clock)
      return {
        ...other,
        async close() {
          await other.close()
          await beside.destroy()
        },
      }
    },
    async close() {
      await visits.stop()
      await events.stop()
      await facts.stop()
      rights.stop()
      parted()
    },
  }
}

/** A machine with an Akey and a tunnel. */
export async function createHome(harness: VisitsHarness): Promise<{ machine: TestMachine; owner: TestUser }> {
  const owner = await createUser(harness.db, { name: 'Akey' })
  const machine = await createMachine(harness.db, { owner: owner.userId })
  harness.connect(machine.machineId)
  return { machine, owner }
}

/** Changes rights and records it as a service does, but without the wake-up: the table alone must be enough. */
export async function changeRights(
  harness: VisitsHarness,
  change: NewRightChange,
  work: (trx: Database) => Promise<unknown>,
): Promise<void> {
  await harness.db.transaction().execute(async (trx) => {
    await work(trx)
    const { sessionId, userId, machineId, reason } = change
    await trx
      .insertInto('right_changes')
      .values({
        session_id: sessionId ?? null,
        user_id: userId ?? null,
        machine_id: machineId ?? null,
        reason,
      })
      .execute()
  })
}
