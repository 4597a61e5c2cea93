import { argon2Sync, randomBytes } from 'node:crypto'
import { ApiError, type Client, messages } from '@busbar/contract'
import { fromBinary, Scene, UnreadCountSchema } from '@busbar/contract/push'
import { createMachine, createUser, startTestPlatform, type TestPlatform } from '@busbar/testkit'
import { sql } from 'kysely'
import { silentLogger } from '../../src/kernel/logger.ts'
import { ApplicationExpiry } from '../../src/modules/access/applications/index.ts'
import { createAccess, expireTransfers } from '../../src/modules/access/index.ts'
import type { History } from '../histories/history.ts'
import type { Random } from '../histories/random.ts'
import { injectClient } from '../http/inject-client.ts'
import { uncounted } from '../http/uncounted.ts'
import { acts, type Call, type Cast, type Drawn, machinePassword } from './acts.ts'
import { type Outcome, RightsModel } from './rights-model.ts'
import { cloneState, describeChange, readState, type State } from './state.ts'

const people = 5
const machineCount = 2
/** Calls at the same moment: each order of them is tried, 24 at most. */
const atOnceMax = 4
const dayMs = 24 * 3_600_000
/** Between two rounds, so that waits of a minute are met and missed. */
const pauseMs = { least: 15_000, spread: 90_000 }
const auditEvery = 25

/** A platform whose clock the histories move on. */
export interface Rig {
  readonly site: TestPlatform
  readonly clock: { now: number }
}

export async function openRig(): Promise<Rig> {
  const clock = { now: Date.now() }
  const site = await startTestPlatform({}, { now: () => clock.now, rateCounters: uncounted })
  return { site, clock }
}

/** A few machines, and several people who change the rights to them. */
class World implements Drawn {
  readonly rig: Rig
  readonly cast: Cast
  state: State
  isOvernight = false
  rounds = 0
  readonly #clients: ReadonlyMap<number, Client>

  private constructor(rig: Rig, cast: Cast, state: State) {
    this.rig = rig
    this.cast = cast
    this.state = state
    this.#clients = new Map([...cast.people].map(([userId, user]) => [userId, injectClient(rig.site, user)]))
  }

  static async open(rig: Rig): Promise<World> {
    const cast = await createCast(rig.site)
    return new World(rig, cast, await readCast(rig, cast))
  }

  get now(): number {
    return this.rig.clock.now
  }

  clientOf = (userId: number): Client => this.#clients.get(userId) as Client

  read = (): Promise<State> => readCast(this.rig, this.cast)
}

const readCast = ({ site }: Rig, { machines, people }: Cast): Promise<State> =>
  readState(site.db, [...machines.keys()], [...people.keys()])

/** Simultaneous changes of several people to the rights of a few machines: they have the result of some order. */
export const rightsHistory = (rig: () => Rig): History<World, Call> => ({
  acts,
  atOnceMax,
  open: () => World.open(rig()),
  async pass(world, random, share) {
    const { clock } = world.rig
    clock.now += pauseMs.least + random.below(pauseMs.spread)
    if (world.isOvernight || share < 0.5) return
    world.isOvernight = true
    clock.now += dayMs
    await endRunOut(world.rig)
    world.state = await world.read()
  },
  async play(world, { steps, random, note }) {
    const { state: before, cast, now } = world
    if (steps.some(({ act }) => act === 'offer')) await proveAll(world.rig.site, cast, now)
    const [told] = await Promise.all([
      Promise.all(steps.map((step) => play(world.clientOf(step.user), step))),
      readSome(random, cast, world.clientOf),
    ])
    for (const [place, { act }] of steps.entries()) note(`${act} ${told[place]?.code}`)
    const after = await world.read()
    world.state = after
    world.rounds++
    const fault = explain({ before, after, steps, told, now })
    return fault ? [fault] : world.rounds % auditEvery === 0 ? audit(world) : []
  },
  end: audit,
})

async function createCast(site: TestPlatform): Promise<Cast> {
  const users = []
  for (let count = 0; count < people; count++) users.push(await createUser(site.db))
  const machines = new Map<number, { code: string; name: string }>()
  for (let count = 0; count < machineCount; count++) {
    const name = `Press ${count + 1}`
    const { machineId, code } = await createMachine(site.db, { name })
    machines.set(machineId, { code, name })
  }
  await site.db
    .updateTable('machines')
    .set({ password_hash: quickHash(machinePassword) })
    .where('id', 'in', [...machines.keys()])
    .execute()
  return { people: new Map(users.map((user) => [user.userId, user])), machines }
}

/** A cheap hash that contains its own parameters: thousands are checked. */
function quickHash(password: string): string {
  const nonce = randomBytes(16)
  const cost = { memory: 8, passes: 1, parallelism: 1 }
  const tag = argon2Sync('argon2id', { message: password, nonce, tagLength: 32, ...cost })
  return `argon2id$${cost.memory}$${cost.passes}$${cost.parallelism}$${nonce.toString('base64')}$${tag.toString('base64')}`
}

async function play(client: Client, step: Call): Promise<Outcome> {
  try {
    const { auditState } = (await step.make(client)) as { auditState?: number }
    return { code: 'ok', ...(auditState === undefined ? {} : { auditState }) }
  } catch (error) {
    if (error instanceof ApiError && error.http < 500 && error.http > 0) return { code: error.code }
    throw error
  }
}

/** Undefined if the model can reach the seen answers and state with the round's calls in some order. */
function explain(round: {
  readonly before: State
  readonly after: State
  readonly steps: readonly Call[]
  readonly told: readonly Outcome[]
  readonly now: number
}): string | undefined {
  const { before, after, steps, told, now } = round
  const seen = describeChange(after, before)
  let nearest: string | undefined
  for (const order of ordersOf(steps.length)) {
    const state = cloneState(before)
    const isSo = order.every((place) => {
      const outcome = steps[place]?.model(new RightsModel(state, now))
      return outcome?.code === told[place]?.code && outcome?.auditState === told[place]?.auditState
    })
    if (!isSo) continue
    const expected = describeChange(state, before)
    if (expected === seen) return undefined
    nearest = differenceOf(expected, seen)
  }
  const alone = () => steps.map((step) => step.model(new RightsModel(cloneState(before), now)))
  return [
    'no order of these explains what was seen',
    ...steps.map((step, place) => `${JSON.stringify(step)} -> ${JSON.stringify(told[place])}`),
    nearest ?? `one by one: ${JSON.stringify(alone())}`,
    `before: ${JSON.stringify(before, (_, value) => (value instanceof Map || value instanceof Set ? [...value] : value))}`,
  ].join('\n')
}

function differenceOf(expected: string, seen: string): string {
  const [wanted, got] = [new Set(expected.split('\n')), new Set(seen.split('\n'))]
  const missing = [...wanted].filter((line) => !got.has(line)).map((line) => `expected ${line}`)
  return [...missing, ...[...got].filter((line) => !wanted.has(line)).map((line) => `seen     ${line}`)].join(
    '\n',
  )
}

function ordersOf(count: number): number[][] {
  if (count === 0) return [[]]
  return ordersOf(count - 1).flatMap((order) =>
    Array.from({ length: count }, (_, place) => [...order.slice(0, place), count - 1, ...order.slice(place)]),
  )
}

/** A person reads or clears messages meanwhile; they keep sent ones, so that no answer is missed. */
async function readSome(random: Random, cast: Cast, clientOf: (userId: number) => Client): Promise<void> {
  if (random.chance(0.6)) return
  const client = clientOf(random.pickAny([...cast.people.keys()]) ?? 0)
  if (random.chance(0.3)) {
    await client.call(messages.clearMessages, { scene: random.pick(['inbox', 'device']) })
    return
  }
  const { list } = await client.call(messages.listMessages, {
    scene: random.pick(['inbox', 'sent', 'device']),
    pageSize: 5,
  })
  const ids = list.filter(() => random.chance(0.5)).map(({ id }) => id)
  if (ids.length > 0) await client.call(messages.readMessages, { ids })
}

/** A person who gives a machine away must have proved their password. */
async function proveAll(site: TestPlatform, cast: Cast, now: number): Promise<void> {
  await site.db
    .updateTable('sessions')
    .set({ proved_at: new Date(now) })
    .where('user_id', 'in', [...cast.people.keys()])
    .execute()
}

/** Ends unanswered applications: the platform's own clock would do it within minutes. */
async function endRunOut({ site, clock }: Rig): Promise<void> {
  const { db } = site
  const { facts } = site.platform
  await new ApplicationExpiry({ db, facts, logger: silentLogger, now: () => clock.now }).check()
  await expireTransfers({ db, facts }, clock.now)
}

/** Checks the rules that always apply: rights, answers and counts. */
async function audit({ rig: { site }, cast, state, now, clientOf }: World): Promise<string[]> {
  const faults: string[] = []
  const machineIds = [...cast.machines.keys()]
  const model = new RightsModel(state, now)
  for (const userId of cast.people.keys()) {
    const rights = await createAccess(site.db).list(userId, machineIds, now)
    for (const machine of machineIds) {
      const [level, expected] = [rights.get(machine)?.level, model.level(machine, userId)]
      if (level !== expected) faults.push(`user ${userId} has level ${level} instead of ${expected}`)
    }
    faults.push(...(await auditCounts(site, userId, clientOf(userId))))
  }
  return [...faults, ...(await auditAnswers(site, machineIds))]
}

/** The count in an answer, the last published one, and the number of messages. */
async function auditCounts(site: TestPlatform, userId: number, client: Client): Promise<string[]> {
  const { rows } = await sql<{ unread: number; body: Buffer | null }>`
    select (select count(*)::int from messages where user_id = ${userId} and read_at is null) as unread,
           (select body from user_events where user_id = ${userId} and scene = ${Scene.UNREAD}
            order by id desc limit 1) as body`.execute(site.db)
  const unread = rows[0]?.unread ?? 0
  const { totalUnreadMsg } = await client.call(messages.getTotalUnread, {})
  const pushed = rows[0]?.body ? fromBinary(UnreadCountSchema, rows[0].body).totalUnreadMsg : 0
  return totalUnreadMsg === unread && pushed === unread
    ? []
    : [`user ${userId} has ${unread} unread, is told ${totalUnreadMsg}, was pushed ${pushed}`]
}

/** Every ended application has a last step with its state, and the applicant got one message, unless they withdrew. */
async function auditAnswers(site: TestPlatform, machineIds: readonly number[]): Promise<string[]> {
  const { rows } = await sql<{ id: number; state: number; last: number; step: string; told: number }>`
    select application.id, application.state, last.state as last, last.step, (
             select count(*)::int from messages
             where application_id = application.id
               and user_id = coalesce(application.proposed_by, application.user_id)
               and type in ('bindReply', 'visitReply', 'bindSuccess', 'visitSuccess')) as told
    from applications application
    join lateral (select state, step from application_steps where application_id = application.id
                  order by id desc limit 1) last on true
    where application.machine_id = any(${[...machineIds]}::bigint[])`.execute(site.db)
  return rows.flatMap(({ id, state, last, step: lastStep, told }) => {
    const expected = state < 3 || lastStep === 'withdrawn' ? 0 : 1
    return state === last && told === expected
      ? []
      : [`application ${id} is ${state}, its last step ${lastStep} says ${last}, told ${told} times`]
  })
}
