import { setTimeout as sleep } from 'node:timers/promises'
import { startTestPlatform, type TestPlatform } from '@busbar/testkit'
import { sql } from 'kysely'
import { endDueShelves } from '../../src/modules/alarms/shelves-service.ts'
import { createRandom, type Random } from '../histories/random.ts'
import { uncounted } from '../http/uncounted.ts'
import { AlarmModel } from './alarm-model.ts'
import { type Cast, createCast } from './cast.ts'
import { auditNextOwner, auditPerson, checkLedger } from './check-answers.ts'
import { checkAlarms, checkStocks, checkTold, type Round } from './check-round.ts'
import { Letters } from './letters.ts'
import { noMarks, readSeen, type Seen } from './seen.ts'
import { doStep, drawRound, type Outcome, type Step } from './steps.ts'

/** A platform whose clock the histories move on. */
export interface Stage {
  readonly site: TestPlatform
  readonly clock: { now: number }
}

export async function openStage(): Promise<Stage> {
  const clock = { now: Date.now() }
  const site = await startTestPlatform({}, { now: () => clock.now, rateCounters: uncounted })
  return { site, clock }
}

interface Running {
  readonly seed: number
  readonly random: Random
  readonly cast: Cast
  readonly model: AlarmModel
  readonly letters: Letters
  readonly values: Map<number, number>
  seen: Seen
  done: number
  readonly outcomes: Map<string, number>
  readonly faults: string[]
}

/** How a history went; without faults everything was as the model says. */
export interface Played {
  readonly seed: number
  readonly steps: number
  readonly outcomes: ReadonlyMap<string, number>
  readonly faults: readonly string[]
}

const stepsAtOnce = 16
/** Between two rounds: windows of digests, visit times and shelvings end meanwhile. */
const pauseMs = { least: 15_000, spread: 75_000 }
const settledMsMax = 20_000
const auditEvery = 8

/** Plays histories side by side on one platform: their steps overlap, and their machines and people have nothing in common. */
export async function playHistories(
  stage: Stage,
  { seeds, steps }: { readonly seeds: readonly number[]; readonly steps: number },
): Promise<Played[]> {
  const { site, clock } = stage
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
      letters: new Letters(),
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
      // The end of a shelving is no event of the millisecond in which a machine changes hands.
      clock.now++
      await playRound(stage, playing, { round, steps })
    }
  } finally {
    await Promise.all(histories.map(({ cast }) => cast.end()))
  }
  return histories.map(({ seed, done, outcomes, faults }) => ({ seed, steps: done, outcomes, faults }))
}

/** The steps of all histories at once, then a look at each when nothing is left to be done. */
async function playRound(
  stage: Stage,
  playing: readonly Running[],
  { round, steps: most }: { readonly round: number; readonly steps: number },
): Promise<void> {
  const { site, clock } = stage
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
  await Promise.all(played.map(({ one, steps }) => rulesSettle(site, one, steps)))
  await followersSettle(site)
  await Promise.all(
    played.map(async ({ one, steps, outcomes }) => {
      for (const [place, step] of steps.entries()) note(one.outcomes, step, outcomes[place])
      const found = await checkRound(stage, one, steps, outcomes, round)
      if (found.length > 0) one.faults.push(`round ${round}`, ...found, ...tell(steps, outcomes))
    }),
  )
}

async function checkRound(
  { site, clock }: Stage,
  one: Running,
  steps: readonly Step[],
  outcomes: readonly Outcome[],
  place: number,
): Promise<string[]> {
  const { cast, model, letters, random } = one
  const after = await readSeen(site, cast, one.seen.marks)
  const round: Round = { cast, before: one.seen, after, steps, outcomes, now: clock.now }
  one.seen = after
  one.done += steps.length
  const faults = [
    ...checkAlarms(round, model),
    ...checkTold(round),
    ...checkStocks(round),
    ...letters.check(round),
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

/** Waits until the alarms of rules stand as the newest values and the rules say. */
async function rulesSettle(site: TestPlatform, one: Running, steps: readonly Step[]): Promise<void> {
  const { cast, values } = one
  let isTouched = false
  for (const step of steps) {
    if (step.kind === 'value') values.set(step.machine, step.value)
    isTouched ||= ['value', 'rule', 'removeRule', 'transfer'].includes(step.kind)
  }
  if (!isTouched) return
  const endsAt = performance.now() + settledMsMax
  for (;;) {
    const [rules, open] = await Promise.all([
      site.db
        .selectFrom('alarm_rules')
        .select(['id', 'machine_id', 'condition'])
        .where(
          'machine_id',
          'in',
          cast.machines.map(({ id }) => id),
        )
        .execute(),
      site.db
        .selectFrom('alarms')
        .select('rule_id')
        .where(
          'machine_id',
          'in',
          cast.machines.map(({ id }) => id),
        )
        .where('rule_id', 'is not', null)
        .where('cleared_at', 'is', null)
        .execute(),
    ])
    const stands = new Set(open.map(({ rule_id }) => rule_id))
    const wanted = rules.filter((rule) => {
      const { limit } = rule.condition as unknown as { limit: number }
      return (values.get(rule.machine_id) ?? 20) > limit
    })
    if (wanted.length === stands.size && wanted.every(({ id }) => stands.has(id))) return
    if (performance.now() > endsAt) {
      const lines = wanted.map(({ id }) => id).join(', ')
      throw new Error(
        `seed ${one.seed}: alarms of the rules ${lines} have to stand, and those of ${[...stands].join(', ')} do: ${tell(steps, []).join('\n')}`,
      )
    }
    await sleep(5)
  }
}

/** Waits until everybody was told of what happened to alarms. One statement: the figures of all followers take a dozen. */
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
    await sleep(4)
  }
}
