import { argon2Sync, randomBytes } from 'node:crypto'
import { ApiError, type Client, messages } from '@busbar/contract'
import { fromBinary, Scene, UnreadCountSchema } from '@busbar/contract/push'
import { createMachine, createUser, startTestPlatform, type TestPlatform } from '@busbar/testkit'
import { sql } from 'kysely'
import { silentLogger } from '../../src/kernel/logger.ts'
import { ApplicationExpiry } from '../../src/modules/access/applications/index.ts'
import { createAccess, expireTransfers } from '../../src/modules/access/index.ts'
import { injectClient } from '../http/inject-client.ts'
import { uncounted } from '../http/uncounted.ts'
import { limitAuthorityOf, step } from './model.ts'
import { type Cast, callOperation, drawOperation, machinePassword, type Operation } from './operations.ts'
import { createRandom, type Random } from './random.ts'
import type { Outcome } from './rights-model.ts'
import { cloneState, describeChange, readState, type State } from './state.ts'

/**
 * Draws random simultaneous changes of several people to the rights of a few machines, and compares them with the
 * model.
 */
export interface History {
  readonly seed: number
  readonly operations: number
}

/** The result of a history: `faults` is empty when the model explains all of it. */
export interface Played {
  readonly seed: number
  readonly rounds: number
  readonly operations: number
  /** The number of each outcome, for each call. */
  readonly outcomes: ReadonlyMap<string, number>
  readonly faults: readonly string[]
}

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
  stop(): Promise<void>
}

export async function openRig(): Promise<Rig> {
  const clock = { now: Date.now() }
  const site = await startTestPlatform({}, { now: () => clock.now, rateCounters: uncounted })
  return { site, clock, stop: () => site.stop() }
}

/** Plays one history; the same seed draws the same one, as far as answers come the same. */
export async function playHistory({ site, clock }: Rig, { seed, operations }: History): Promise<Played> {
  const random = createRandom(seed)
  const cast = await createCast(site)
  const { db } = site
  const read = () => readState(db, [...cast.machines.keys()], [...cast.people.keys()])
  const clients = new Map([...cast.people].map(([userId, user]) => [userId, injectClient(site, user)]))
  const clientOf = (userId: number) => clients.get(userId) as Client
  const outcomes = new Map<string, number>()
  const faults: string[] = []
  let done = 0
  let rounds = 0
  let state = await read()
  let isOvernight = false
  while (done < operations && faults.length === 0) {
    rounds++
    clock.now += pauseMs.least + random.below(pauseMs.spread)
    if (!isOvernight && done > operations / 2) {
      isOvernight = true
      clock.now += dayMs
      await endRunOut({ site, clock })
      state = await read()
    }
    const round = Array.from({ length: 1 + random.below(atOnceMax) }, () =>
      drawOperation(random, state, cast),
    )
    done += round.length
    if (round.some(({ call }) => call === 'offer')) await proveAll(site, cast, clock.now)
    const [told] = await Promise.all([
      Promise.all(round.map((each) => play(clientOf(each.user), each, cast, clock.now))),
      readSome(random, cast, clientOf),
    ])
    round.forEach((each, place) => {
      const outcome = `${each.call} ${told[place]?.code}`
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    })
    const after = await read()
    const fault = explain(state, round, told, after, clock.now)
    if (fault) faults.push(`round ${rounds}: ${fault}`)
    state = after
    if (rounds % auditEvery === 0 || done >= operations)
      faults.push(...(await audit(site, cast, state, clock.now, clientOf)))
  }
  return { seed, rounds, operations: done, outcomes, faults }
}

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

async function play(client: Client, operation: Operation, cast: Cast, now: number): Promise<Outcome> {
  try {
    const answer = (await callOperation(client, operation, cast, now)) as { auditState?: number }
    return { code: 'ok', ...(answer.auditState === undefined ? {} : { auditState: answer.auditState }) }
  } catch (error) {
    if (error instanceof ApiError && error.http < 500 && error.http > 0) return { code: error.code }
    throw error
  }
}

/** Undefined if the model can reach the seen answers and state with the round's calls in some order. */
function explain(
  before: State,
  round: readonly Operation[],
  told: readonly Outcome[],
  after: State,
  now: number,
): string | undefined {
  const seen = describeChange(after, before)
  let nearest: string | undefined
  for (const order of ordersOf(round.length)) {
    const state = cloneState(before)
    const isSo = order.every((place) => {
      const outcome = step(state, round[place] as Operation, now)
      return outcome.code === told[place]?.code && outcome.auditState === told[place]?.auditState
    })
    if (!isSo) continue
    const expected = describeChange(state, before)
    if (expected === seen) return undefined
    nearest = differenceOf(expected, seen)
  }
  const calls = round.map((each, place) => `${JSON.stringify(each)} -> ${JSON.stringify(told[place])}`)
  return [
    'no order of these explains what was seen',
    ...calls,
    nearest ?? `one by one: ${oneByOne(before, round, now)}`,
    `before: ${JSON.stringify(before, (_, value) => (value instanceof Map || value instanceof Set ? [...value] : value))}`,
  ].join('\n')
}

function oneByOne(before: State, round: readonly Operation[], now: number): string {
  return JSON.stringify(round.map((each) => step(cloneState(before), each, now)))
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
async function endRunOut({ site, clock }: Pick<Rig, 'site' | 'clock'>): Promise<void> {
  const { db } = site
  const { facts } = site.platform
  await new ApplicationExpiry({ db, facts, logger: silentLogger, now: () => clock.now }).check()
  await expireTransfers({ db, facts }, clock.now)
}

/** Checks the rules that always apply: rights, answers and counts. */
async function audit(
  site: TestPlatform,
  cast: Cast,
  state: State,
  now: number,
  clientOf: (userId: number) => Client,
): Promise<string[]> {
  const faults: string[] = []
  const access = createAccess(site.db, { demo: false })
  for (const userId of cast.people.keys()) {
    const rights = await access.list(userId, [...cast.machines.keys()], now)
    for (const machine of cast.machines.keys()) {
      const [level, expected] = [rights.get(machine)?.level, limitAuthorityOf(state, machine, userId, now)]
      if (level !== expected) faults.push(`user ${userId} has level ${level} instead of ${expected}`)
    }
    faults.push(...(await auditCounts(site, userId, clientOf(userId))))
  }
  return [...faults, ...(await auditAnswers(site, [...cast.machines.keys()]))]
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
