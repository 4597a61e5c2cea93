import { ApiError, alarmRules, alarms, type Client, machines, messages } from '@busbar/contract'
import type { TestPlatform, TestUser } from '@busbar/testkit'
import { type AlarmEvent, writeAlarms } from '../../src/modules/alarms/index.ts'
import type { Act } from '../histories/history.ts'
import { sample } from '../telemetry/test-store.ts'
import type { Cast, CastMachine } from './cast.ts'
import { actorOf, drawRight, drawStock } from './draw-rights.ts'
import type { Draw, Drawn, Step } from './step.ts'

/** The result of a step: its answer, or the code of the refusal. */
export interface Outcome {
  readonly answer?: unknown
  readonly refused?: string
}

const levels = ['critical', 'major', 'minor', 'info'] as const
const keys = ['A', 'B', 'C'] as const
const minuteMs = 60_000
const rulesMax = 2

const drawers: Readonly<Record<string, (draw: Draw, machine: CastMachine) => Step | undefined>> = {
  batch({ random, now }, { id }) {
    let at = now - 9_000
    const events = Array.from({ length: 1 + random.below(3) }, (): AlarmEvent => {
      at += 1 + random.below(2_000)
      const key = random.pick(keys)
      return {
        machineId: id,
        key,
        level: random.chance(0.1) ? random.pick(levels) : (levels[keys.indexOf(key)] ?? 'info'),
        text: { en: `Trouble ${key}`, cn: `故障 ${key}` },
        state: random.pick(['raised', 'raised', 'cleared']),
        isRepeat: random.chance(0.2),
        late: false,
        at,
        // Before whatever happens in this round.
        receivedAt: now - 1,
        standing: undefined,
      }
    })
    return { kind: 'batch', machine: id, events }
  },
  value: ({ random, now }, { id }) => ({
    kind: 'value',
    machine: id,
    value: random.below(100),
    at: now - 5_000,
  }),
  confirm(draw, machine) {
    const open = draw.seen.alarms.filter((one) => one.machine === machine.id && !one.confirmed)
    const ids = open.filter(() => draw.random.chance(0.7)).map(({ id }) => id)
    if (ids.length === 0) return undefined
    return { kind: 'confirm', machine: machine.id, user: actorOf(draw, machine), ids }
  },
  shelve(draw, machine) {
    const { random, seen, now } = draw
    const target = random.pickAny(seen.alarms.filter((one) => one.machine === machine.id && one.open))
    const until = random.chance(0.7) ? now + minuteMs * (1 + random.below(20)) : undefined
    const alarm = random.chance(0.6) ? target?.id : undefined
    return { kind: 'shelve', machine: machine.id, user: actorOf(draw, machine), alarm, until }
  },
  unshelve(draw, machine) {
    const one = draw.random.pickAny(draw.seen.shelves.filter((shelve) => shelve.machine === machine.id))
    return one && { kind: 'unshelve', machine: machine.id, user: actorOf(draw, machine), id: one.id }
  },
  rule(draw, machine) {
    const { random, seen } = draw
    const rules = seen.rules.filter((rule) => rule.machine === machine.id)
    const known = rules.length >= rulesMax || random.chance(0.5) ? random.pickAny(rules) : undefined
    const isOther = !known || random.chance(0.6)
    return {
      kind: 'rule',
      machine: machine.id,
      user: actorOf(draw, machine),
      ...(known && { id: known.id }),
      limit: isOther ? 20 + random.below(60) : known.limit,
      level: random.pick(levels),
    }
  },
  removeRule(draw, machine) {
    const rule = draw.random.pickAny(draw.seen.rules.filter((one) => one.machine === machine.id))
    return rule && { kind: 'removeRule', machine: machine.id, user: actorOf(draw, machine), id: rule.id }
  },
  transfer({ cast, random, seen }, { id, isDevice }) {
    const owner = seen.rights.machines.find((machine) => machine.id === id)?.owner
    const from = cast.people.find(({ userId }) => userId === owner)
    const to = random.pickAny(cast.people.filter((person) => person !== from))
    return isDevice || !from || !to ? undefined : { kind: 'transfer', machine: id, from, to }
  },
  right: drawRight,
  stock: drawStock,
  read: ({ cast, random }) => ({
    kind: 'read',
    user: random.pickAny(cast.people) as TestUser,
    share: random.next(),
  }),
}

const weights: Readonly<Record<string, number>> = {
  batch: 24,
  value: 16,
  confirm: 7,
  shelve: 4,
  unshelve: 5,
  rule: 5,
  removeRule: 1,
  transfer: 2,
  right: 14,
  stock: 6,
  read: 4,
}

export const acts: Readonly<Record<string, Act<Drawn, Step>>> = Object.fromEntries(
  Object.entries(drawers).map(([kind, drawer]) => [
    kind,
    {
      weight: weights[kind] ?? 1,
      draw({ site, cast, seen, now }, random) {
        const machine = random.pickAny(cast.machines) as CastMachine
        return drawer({ site, cast, seen, now, random }, machine)
      },
    } satisfies Act<Drawn, Step>,
  ]),
)

/** At most one of them in a round for a machine, or a person's rights: their order would change the result. */
const once: ReadonlySet<string> = new Set([
  'batch',
  'value',
  'shelve',
  'unshelve',
  'rule',
  'removeRule',
  'transfer',
  'right',
])
const aloneWith = (kind: string) => (kind === 'unshelve' ? 'shelve' : kind === 'removeRule' ? 'rule' : kind)

/** A right given and another taken at once may leave the person for a moment with both, or with none. */
const placeOf = (step: Step): string =>
  step.kind === 'right'
    ? `right ${step.userId}`
    : 'machine' in step
      ? `${aloneWith(step.kind)} ${step.machine}`
      : ''

/** While a machine changes hands nothing else happens to it. */
export const canJoin = (step: Step, others: readonly Step[]): boolean =>
  others.every((one) => {
    const isOfMachine = 'machine' in one && 'machine' in step && one.machine === step.machine
    if (isOfMachine && (one.kind === 'transfer' || step.kind === 'transfer')) return false
    return !once.has(step.kind) || placeOf(one) !== placeOf(step)
  })

/** Does a step; a refusal is an outcome, and any other failure the test's. */
export async function doStep({ site, cast, now }: Drawn, step: Step): Promise<Outcome> {
  try {
    return { answer: await run(site, cast, step, now) }
  } catch (error) {
    if (error instanceof ApiError && error.http < 500 && error.http > 0) return { refused: error.code }
    throw error
  }
}

async function run(site: TestPlatform, cast: Cast, step: Step, now: number): Promise<unknown> {
  switch (step.kind) {
    case 'batch':
      return writeBatch(site, cast, step.events)
    case 'value':
      return site.platform.telemetry.append(step.machine, [sample('temp', step.value, { time: step.at })])
    case 'confirm':
      return cast.clientOf(step.user).call(alarms.confirmAlarms, { ids: [...step.ids] })
    case 'shelve':
      return shelve(cast.clientOf(step.user), step)
    case 'unshelve':
      return cast.clientOf(step.user).call(alarms.endShelve, { id: step.id })
    case 'rule':
      return saveRule(site, cast, step)
    case 'removeRule':
      return cast.clientOf(step.user).call(alarmRules.deleteAlarmRule, { id: step.id })
    case 'transfer':
      return transfer(site, cast, step, now)
    case 'read':
      return readMessages(cast.clientOf(step.user), step.share)
    default:
      return step.run()
  }
}

/** The lane writes one batch after the other. */
function writeBatch(site: TestPlatform, cast: Cast, events: readonly AlarmEvent[]): Promise<void> {
  return cast.inLane(async (client) => {
    await client.query('begin')
    await writeAlarms(client, events, site.platform.facts)
    await client.query('commit')
    site.platform.facts.wake()
  })
}

function shelve(client: Client, { machine, alarm, until }: Step & { kind: 'shelve' }): Promise<unknown> {
  const wish = { machineId: machine, reason: 'worn', ...(alarm !== undefined && { alarmId: alarm }) }
  return until === undefined
    ? client.call(alarms.takeAlarmsOutOfService, wish)
    : client.call(alarms.shelveAlarms, { ...wish, until })
}

async function saveRule(
  { db }: TestPlatform,
  cast: Cast,
  { machine, user, id, limit, level }: Step & { kind: 'rule' },
): Promise<unknown> {
  // The next owner of a machine begins with new variables.
  const tag = await db
    .selectFrom('tags')
    .select('id')
    .where('machine_id', '=', machine)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  const tagId = tag?.id ?? 0
  const rule = {
    kind: 'threshold',
    tagId,
    op: '>',
    limit,
    deadband: 0,
    level,
    text: { cn: '{tag} 过高', en: '{tag} is too high' },
  } as const
  const client = cast.clientOf(user)
  return id === undefined
    ? client.call(alarmRules.createAlarmRule, { machineId: machine, ...rule } as never)
    : client.call(alarmRules.updateAlarmRule, { id, ...rule } as never)
}

async function transfer(
  { db }: TestPlatform,
  cast: Cast,
  { machine, from, to }: Step & { kind: 'transfer' },
  now: number,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ proved_at: new Date(now) })
    .where('id', 'in', [from.sessionId, to.sessionId])
    .execute()
  const { applyId } = await cast
    .clientOf(from)
    .call(machines.offerMachine, { machineID: machine, account: to.email })
  await cast.clientOf(to).call(machines.answerTransfer, { applyId, action: 'accept' })
}

/** Reads some of a person's messages, or all of them. */
async function readMessages(client: Client, share: number): Promise<unknown> {
  if (share > 0.7) return client.call(messages.readMessages, { scene: 'alarm' })
  const { list } = await client.call(messages.listMessages, { scene: 'alarm', read: false, pageSize: 20 })
  const ids = list.slice(0, Math.ceil(list.length * share)).map(({ id }) => id)
  return ids.length === 0 ? undefined : client.call(messages.readMessages, { ids })
}
