import { setTimeout as sleep } from 'node:timers/promises'
import { startTestPlatform, type TestPlatform } from '@busbar/testkit'
import { sql } from 'kysely'
import { endDueShelves } from '../../src/modules/alarms/shelves-service.ts'
import { MessageRefused } from '../../src/modules/outgoing/index.ts'
import type { History } from '../histories/history.ts'
import type { Random } from '../histories/random.ts'
import { uncounted } from '../http/uncounted.ts'
import { AlarmMessages } from './alarm-messages.ts'
import { AlarmModel } from './alarm-model.ts'
import { type Cast, createCast, firstValue } from './cast.ts'
import { auditNextOwner, auditPerson, checkEvents, checkLedger } from './check-answers.ts'
import { checkAlarms, checkStocks, checkTold, type Round } from './check-round.ts'
import { noMarks, readSeen, type Seen } from './seen.ts'
import type { Drawn, Step } from './step.ts'
import { acts, canJoin, doStep, type Outcome } from './steps.ts'

/** A platform whose clock the histories move on. */
export interface Rig {
  readonly site: TestPlatform
  readonly clock: { now: number }
}

/** Services that refuse one message in three. */
function startProviders() {
  let count = 0
  const send = async () => {
    if (++count % 3 === 0) throw new MessageRefused('refused')
    return []
  }
  const provider = { send, close: async () => undefined }
  return { sms: provider, email: provider }
}

export async function openRig(): Promise<Rig> {
  const clock = { now: Date.now() }
  const options = { now: () => clock.now, rateCounters: uncounted, providers: startProviders() }
  const site = await startTestPlatform({}, options)
  return { site, clock }
}

const stepsAtOnce = 32
/** Between two rounds: windows of digests, visit times and shelvings end meanwhile. */
const pauseMs = { least: 15_000, spread: 75_000 }
const settledMsMax = 20_000
const auditEvery = 8
const changingRules: ReadonlySet<string> = new Set(['value', 'rule', 'removeRule', 'transfer'])

/** The cast of one history, what it is expected to have, and what was seen of it last. */
class World implements Drawn {
  readonly rig: Rig
  readonly cast: Cast
  readonly model = new AlarmModel()
  readonly alarmMessages = new AlarmMessages()
  readonly values = new Map<number, number>()
  seen: Seen
  rounds = 0

  constructor(rig: Rig, cast: Cast, seen: Seen) {
    this.rig = rig
    this.cast = cast
    this.seen = seen
  }

  get site(): TestPlatform {
    return this.rig.site
  }

  get now(): number {
    return this.rig.clock.now
  }
}

/** Alarms of machines and rules, and the people, messages and payments that they cause. */
export const alarmHistory = (rig: () => Rig): History<World, Step> => ({
  acts,
  fits: canJoin,
  atOnceMax: stepsAtOnce,
  async open() {
    const { site, clock } = rig()
    const cast = await createCast(site, clock.now)
    return new World(rig(), cast, await readSeen(site, cast, noMarks))
  },
  async pass({ rig: { site, clock } }, random) {
    clock.now += pauseMs.least + random.below(pauseMs.spread)
    await endDueShelves({ db: site.db, facts: site.platform.facts }, clock.now)
    // The end of a shelving is not in the same millisecond as a change of owner.
    clock.now++
  },
  async play(world, { steps, random, note }) {
    const outcomes = await Promise.all(steps.map((step) => doStep(world, step)))
    await rulesSettle(world, steps)
    await followersSettle(world.site)
    for (const [place, step] of steps.entries()) {
      const does = 'does' in step ? ` ${step.does.split(' ')[0]}` : ''
      note(`${step.kind}${does} ${outcomes[place]?.refused ?? 'ok'}`)
    }
    const found = await check(world, steps, outcomes, random)
    return found.length > 0 ? [`round ${world.rounds}`, ...found, ...tell(steps, outcomes)] : []
  },
  end: ({ site, cast }) => checkEvents(site, cast),
  close: ({ cast }) => cast.end(),
})

async function check(
  world: World,
  steps: readonly Step[],
  outcomes: readonly Outcome[],
  random: Random,
): Promise<string[]> {
  const { site, cast, model, alarmMessages, seen: before, now } = world
  const after = await readSeen(site, cast, before.marks)
  const round: Round = { cast, before, after, steps, outcomes, now }
  world.seen = after
  world.rounds++
  const faults = [
    ...checkAlarms(round, model),
    ...checkTold(round),
    ...checkStocks(round),
    ...alarmMessages.check(round),
  ]
  if (world.rounds % auditEvery === 0) {
    const person = random.pickAny([...cast.people, cast.boss])
    if (person) faults.push(...(await auditPerson(site, world, person, now)))
    faults.push(...(await checkLedger(site, cast)))
  }
  for (const [at, step] of steps.entries()) {
    if (step.kind !== 'transfer') continue
    faults.push(...(await auditPerson(site, world, step.to, now)))
    if (outcomes[at]?.refused) continue
    const { machine: machineId, to } = step
    const former = before.alarms.find(({ machine }) => machine === machineId)?.id
    faults.push(...(await auditNextOwner(world, to, { machineId, former }, now)))
  }
  return faults
}

const tell = (steps: readonly Step[], outcomes: readonly Outcome[]): string[] =>
  steps.map((step, place) => {
    const short = {
      ...step,
      ...('user' in step && { user: step.user.userId }),
      ...('from' in step && { from: step.from.userId, to: step.to.userId }),
    }
    return `${JSON.stringify(short)} -> ${JSON.stringify(outcomes[place])}`
  })

/** Waits until the alarms of rules match the newest values and the rules. */
async function rulesSettle({ site: { db }, cast, values }: World, steps: readonly Step[]): Promise<void> {
  for (const step of steps) if (step.kind === 'value') values.set(step.machine, step.value)
  if (!steps.some(({ kind }) => changingRules.has(kind))) return
  const machines = cast.machines.map(({ id }) => id)
  const endsAt = performance.now() + settledMsMax
  for (;;) {
    const { rows } = await sql<{ machine: number; rule: number; limit: number | null; stands: boolean }>`
      select coalesce(rule.machine_id, open.machine_id) as machine, coalesce(rule.id, open.rule_id) as rule,
             (rule.condition ->> 'limit')::float8 as limit, open.rule_id is not null as stands
      from (select * from alarm_rules where machine_id = any(${machines}::bigint[])) rule
      full join (select machine_id, rule_id from alarms
                 where machine_id = any(${machines}::bigint[]) and rule_id is not null and cleared_at is null) open
        on open.rule_id = rule.id`.execute(db)
    const wrong = rows.filter(
      ({ machine, limit, stands }) =>
        stands !== (limit !== null && (values.get(machine) ?? firstValue) > limit),
    )
    if (wrong.length === 0) return
    if (performance.now() > endsAt) {
      const lines = [JSON.stringify(wrong), ...tell(steps, [])]
      throw new Error(`alarms of rules stand or are missing: ${lines.join('\n')}`)
    }
    await sleep(5)
  }
}

/**
 * Waits until all notifications of the alarms' events are written. One statement, because the figures of all followers
 * need a dozen.
 */
async function followersSettle({ db, platform }: TestPlatform): Promise<void> {
  const endsAt = performance.now() + settledMsMax
  for (;;) {
    const { rows } = await sql`
      select from fact_followers follower
      where name = 'notifications.alarms' and exists (
        select from facts
        where (epoch, xid, id) > (follower.epoch, follower.xid, follower.id) and kind like 'alarm.%'
          and kind not in ('alarm.cleared', 'alarm.filled', 'alarm.unshelved', 'alarm.inService'))`.execute(
      db,
    )
    if (rows.length === 0) return
    if (performance.now() > endsAt)
      throw new Error(`facts are not handled: ${JSON.stringify(await platform.facts.metrics())}`)
    await sleep(10)
  }
}
