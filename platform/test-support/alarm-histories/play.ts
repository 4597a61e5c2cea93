import { setTimeout as sleep } from 'node:timers/promises'
import { startTestPlatform, type TestPlatform } from '@busbar/testkit'
import { sql } from 'kysely'
import { endDueShelves } from '../../src/modules/alarms/shelves-service.ts'
import { createRandom, type Random } from '../histories/random.ts'
import { uncounted } from '../http/uncounted.ts'
import { AlarmMessages } from './alarm-messages.ts'
import { AlarmModel } from './alarm-model.ts'
import { type Cast, createCast, firstValue } from './cast.ts'
import { auditNextOwner, auditPerson, checkLedger } from './check-answers.ts'
import { checkAlarms, checkStocks, checkTold, type Round } from './check-round.ts'
import { noMarks, readSeen, type Seen } from './seen.ts'
import type { Step } from './step.ts'
import { doStep, drawRound, type Outcome } from './steps.ts'

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

interface Running {
  readonly seed: number
  readonly random: Random
  readonly cast: Cast
  readonly model: AlarmModel
  readonly alarmMessages: AlarmMessages
  readonly values: Map<number, number>
  seen: Seen
  done: number
  readonly outcomes: Map<string, number>
  readonly faults: string[]
}

/** The result of a history; without faults everything equals the model. */
export interface Played {
  readonly seed: number
  readonly steps: number
  readonly outcomes: ReadonlyMap<string, number>
  readonly faults: readonly string[]
}

const stepsAtOnce = 32
/** Between two rounds: windows of digests, visit times and shelvings end meanwhile. */
const pauseMs = { least: 15_000, spread: 75_000 }
const settledMsMax = 20_000
const auditEvery = 8
const changingRules: ReadonlySet<string> = new Set(['value', 'rule', 'removeRule', 'transfer'])

/** Plays histories side by side on one platform: their steps overlap, and their machines and people are separate. */
export async function playHistories(
  rig: Rig,
  { seeds, steps }: { readonly seeds: readonly number[]; readonly steps: number },
): Promise<Played[]> {
  const { site, clock } = rig
  const histories: Running[] = []
  for (const seed of seeds) {
    const cast = await createCast(site, clock.now)
    const seen = await readSeen(site, cast, noMarks)
    const random = createRandom(seed)
    const model = new AlarmModel()
    histories.push({
      seed,
      random,
      cast,
      model,
      alarmMessages: new AlarmMessages(),
      values: new Map(),
      seen,
      done: 0,
      outcomes: new Map(),
      faults: [],
    })
  }
  try {
    const pauses = createRandom(1)
    for (let round = 1; ; round++) {
      const playing = histories.filter(({ done }) => done < steps)
      if (playing.length === 0 || histories.some(({ faults }) => faults.length > 0)) break
      clock.now += pauseMs.least + pauses.below(pauseMs.spread)
      await endDueShelves({ db: site.db, facts: site.platform.facts }, clock.now)
      // The end of a shelving is not in the same millisecond as a change of owner.
      clock.now++
      await playRound(rig, playing, { round, steps })
    }
  } finally {
    await Promise.all(histories.map(({ cast }) => cast.end()))
  }
  return histories.map(({ seed, done, outcomes, faults }) => ({ seed, steps: done, outcomes, faults }))
}

/** The steps of all histories at once, then a check of each when all work is done. */
async function playRound(
  rig: Rig,
  playing: readonly Running[],
  { round, steps: most }: { readonly round: number; readonly steps: number },
): Promise<void> {
  const { site, clock } = rig
  const drawn = playing.map((one) => {
    const draw = { site, ...one, now: clock.now }
    const count = Math.min(1 + one.random.below(stepsAtOnce), most - one.done)
    return { one, draw, steps: drawRound(draw, count) }
  })
  const played = await Promise.all(
    drawn.map(async ({ one, draw, steps }) => ({
      one,
      steps,
      outcomes: await Promise.all(steps.map((step) => doStep(draw, step))),
    })),
  )
  await rulesSettle(site, played)
  await followersSettle(site)
  await Promise.all(
    played.map(async ({ one, steps, outcomes }) => {
      for (const [place, step] of steps.entries()) note(one.outcomes, step, outcomes[place])
      const found = await checkRound(rig, one, steps, outcomes, round)
      if (found.length > 0) one.faults.push(`round ${round}`, ...found, ...tell(steps, outcomes))
    }),
  )
}

async function checkRound(
  { site, clock }: Rig,
  one: Running,
  steps: readonly Step[],
  outcomes: readonly Outcome[],
  place: number,
): Promise<string[]> {
  const { cast, model, alarmMessages, random } = one
  const after = await readSeen(site, cast, one.seen.marks)
  const round: Round = { cast, before: one.seen, after, steps, outcomes, now: clock.now }
  one.seen = after
  one.done += steps.length
  const faults = [
    ...checkAlarms(round, model),
    ...checkTold(round),
    ...checkStocks(round),
    ...alarmMessages.check(round),
  ]
  if (place % auditEvery === 0) {
    const person = random.pickAny([...cast.people, cast.boss])
    if (person) faults.push(...(await auditPerson(site, one, person, clock.now)))
    faults.push(...(await checkLedger(site, cast)))
  }
  for (const [at, step] of steps.entries()) {
    if (step.kind !== 'transfer') continue
    faults.push(...(await auditPerson(site, one, step.to, clock.now)))
    if (outcomes[at]?.refused) continue
    const { machine: machineId, to } = step
    const former = round.before.alarms.find(({ machine }) => machine === machineId)?.id
    faults.push(...(await auditNextOwner(one, to, { machineId, former }, clock.now)))
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

function note(outcomes: Map<string, number>, step: Step, outcome: Outcome | undefined): void {
  const does = 'does' in step ? ` ${step.does.split(' ')[0]}` : ''
  const key = `${step.kind}${does} ${outcome?.refused ?? 'ok'}`
  outcomes.set(key, (outcomes.get(key) ?? 0) + 1)
}

/** Waits until the alarms of rules match the newest values and the rules, in one statement for all histories. */
async function rulesSettle(
  { db }: TestPlatform,
  played: readonly { readonly one: Running; readonly steps: readonly Step[] }[],
): Promise<void> {
  const values = new Map<number, number>()
  const machines: number[] = []
  for (const { one, steps } of played) {
    for (const step of steps) if (step.kind === 'value') one.values.set(step.machine, step.value)
    if (!steps.some(({ kind }) => changingRules.has(kind))) continue
    for (const { id } of one.cast.machines) {
      machines.push(id)
      values.set(id, one.values.get(id) ?? firstValue)
    }
  }
  const endsAt = performance.now() + settledMsMax
  while (machines.length > 0) {
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
      const lines = played.map(({ one, steps }) => [`seed ${one.seed}`, ...tell(steps, [])].join('\n'))
      throw new Error(`alarms of rules stand or are missing: ${JSON.stringify(wrong)} ${lines.join('\n')}`)
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
