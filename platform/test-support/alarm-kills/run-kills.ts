import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { createRandom, type Random } from '../histories/random.ts'
import { type AlarmFixture, createAlarmFixture } from './alarm-fixture.ts'
import { AlarmMachine } from './alarm-machine.ts'
import { checkAftermath, type Finding } from './invariants.ts'
import type { KillRig } from './kill-rig.ts'
import {
  type Fault,
  faults,
  type ProviderDeps,
  type StandIn,
  startMailServer,
  startSmsCentre,
  startSmsService,
  type Taken,
} from './providers.ts'
import { Traffic } from './traffic.ts'

const minuteMs = 60_000
const lifeMsMax = 4_000
/** Longer than a run on a busy machine waits for anything: what takes longer is lost. */
const quietMsMax = 60_000
/** A window of messages lasts ten minutes. */
const passMs = 11 * minuteMs
const passesMax = 12
/** Segments that an enterprise has, from run to run: some are too few. */
const stocks = [2, 6, 100]

/** The channel of a run's alarms by SMS. */
export type SmsWay = 'smpp' | 'http'
type Victim = 'platform' | 'postgres' | 'both'

/** When something is killed: with the so-manieth of these events of a life. */
interface KillPlan {
  readonly at: 'arrived' | 'answered' | 'acknowledged'
  readonly number: number
  readonly victim: Victim
}

/** Platform, PostgreSQL and providers on which one run follows the other. */
export interface KillSite {
  readonly rig: KillRig
  readonly way: SmsWay
  readonly faulty: boolean
  /** One run, in which each seed has separate people and machines. */
  run(seeds: readonly number[]): Promise<Finding & { readonly kills: number }>
  close(): Promise<void>
}

/** Starts everything, for this number of seeds; with `faulty` the providers fail as drawn. */
export async function openKillSite(
  rig: KillRig,
  { way, faulty, seeds }: { readonly way: SmsWay; readonly faulty: boolean; readonly seeds: number },
): Promise<KillSite> {
  const fixtures: AlarmFixture[] = []
  // Before the start, so that the platform has every rule from the beginning.
  while (fixtures.length < seeds)
    fixtures.push(await createAlarmFixture(rig.db, stocks[fixtures.length % stocks.length] ?? 0))
  const killRuns = new KillRuns(rig, fixtures, faulty)
  const deps = (): ProviderDeps => killRuns
  const sms = way === 'smpp' ? await startSmsCentre(deps()) : await startSmsService(deps(), rig.secretFile)
  const mail = await startMailServer(deps())
  const providers = [sms, mail]
  const env = { PUBLIC_URL: 'http://localhost', ...sms.env, ...mail.env }
  await rig.start(env)
  return {
    rig,
    way,
    faulty,
    run: (seeds) => killRuns.run(seeds, { providers, env, hasReceipts: way === 'smpp' }),
    async close() {
      await rig.close()
      await Promise.all(providers.map((provider) => provider.close()))
    },
  }
}

interface RunParts {
  readonly providers: readonly StandIn[]
  readonly env: Readonly<Record<string, string>>
  readonly hasReceipts: boolean
}

class KillRuns implements ProviderDeps {
  readonly taken: Taken[] = []
  /** Of the providers, separate from the traffic and the kills, so that the draws of one do not affect the other. */
  random: Random = createRandom(0)
  #traffic: Random = createRandom(0)
  readonly #fixtures: AlarmFixture[]
  readonly #rig: KillRig
  readonly #faulty: boolean
  #isCalm = true
  #plans: KillPlan[] = []
  #counts = { arrived: 0, answered: 0, acknowledged: 0 }
  #kills = 0
  #isPlatformKilled = false

  constructor(rig: KillRig, fixtures: AlarmFixture[], faulty: boolean) {
    this.#rig = rig
    this.#fixtures = fixtures
    this.#faulty = faulty
  }

  draw(): Fault {
    if (this.#isCalm || !this.#faulty || this.random.chance(0.55)) return 'fine'
    return this.random.pick(faults)
  }

  arrived(): void {
    this.#note('arrived')
  }

  answered(): void {
    this.#note('answered')
  }

  #note(at: KillPlan['at']): void {
    this.#counts[at]++
    const plan = this.#plans.find((one) => one.at === at && one.number === this.#counts[at])
    if (!plan) return
    this.#plans = this.#plans.filter((one) => one !== plan)
    this.#kill(plan.victim)
  }

  #kill(victim: Victim): void {
    if (this.#isPlatformKilled) return
    this.#kills++
    if (victim !== 'platform') this.#rig.killPostgres()
    if (victim === 'postgres') return
    this.#isPlatformKilled = true
    this.#rig.killPlatform()
  }

  async run(seeds: readonly number[], parts: RunParts): Promise<Finding & { kills: number }> {
    const rig = this.#rig
    const [seed = 0] = seeds
    this.random = createRandom(seed)
    this.#traffic = createRandom(seed + 500_000)
    this.taken.length = 0
    this.#kills = 0
    const fixtures = this.#fixtures.splice(0, seeds.length)
    if (fixtures.length < seeds.length) throw new Error('No fixture is left.')
    const fixture: AlarmFixture = { machines: fixtures.flatMap(({ machines }) => machines) }
    const teams = fixtures.map(({ machines }, place) => {
      const random = createRandom(1_000_000 + (seeds[place] ?? 0))
      return machines.map((machine) => ({
        traffic: new Traffic(random, machine.hasRule),
        machine: new AlarmMachine(machine, rig.mqttPort),
      }))
    })
    const players = teams.flat()
    for (let life = 0; life < 2; life++) {
      await this.#live(teams, parts)
      await rig.passAway(passMs)
      // Before the start, which sends at once.
      this.#isCalm = life === 1
      await rig.start(parts.env)
      for (const { machine } of players) machine.moveTo(rig.mqttPort)
    }
    await this.#calmDown(fixture, players, parts)
    for (const { machine } of players) machine.end()
    const told = new Map(
      fixture.machines.map(({ machineId }, place) => [
        machineId,
        players[place]?.traffic.alarms ?? new Map(),
      ]),
    )
    const { hasReceipts } = parts
    const finding = await checkAftermath({
      db: rig.db,
      fixture,
      told,
      taken: this.taken,
      hasReceipts,
    })
    return { ...finding, kills: this.#kills }
  }

  /** Sends messages of machines to a platform until it is killed. */
  async #live(teams: readonly (readonly Player[])[], { providers }: RunParts): Promise<void> {
    const players = teams.flat()
    const random = this.#traffic
    const rig = this.#rig
    this.#isCalm = false
    this.#isPlatformKilled = false
    this.#counts = { arrived: 0, answered: 0, acknowledged: 0 }
    this.#plans = [this.#plan(random.pick(['platform', 'both']), teams.length)]
    if (random.chance(0.6)) this.#plans.push(this.#plan('postgres', teams.length))
    const gone = this.#faulty && random.chance(0.3) ? random.pickAny(providers) : undefined
    const isGone = () => this.#isPlatformKilled
    const until = Date.now() + lifeMsMax
    let left = (8 + random.below(8)) * teams.length
    const goneFrom = random.below(left)
    while (!isGone() && left-- > 0) {
      if (left === goneFrom) gone?.vanish()
      const team = random.pickAny(teams)
      const player = random.chance(0.65) ? team?.[0] : team?.[1]
      player?.machine.send(player.traffic.draw(rig.now))
      await sleep(random.below(25) / teams.length)
    }
    let unacknowledged = Number.POSITIVE_INFINITY
    while (!isGone() && Date.now() < until && unacknowledged > 0) {
      await sleep(10)
      const now = players.reduce((sum, { machine }) => sum + machine.unacknowledged, 0)
      if (now < unacknowledged) this.#note('acknowledged')
      unacknowledged = now
    }
    if (!isGone()) await sleep(50 + random.below(300))
    this.#plans = []
    if (!isGone()) this.#kill('platform')
    await rig.untilGone()
    await gone?.back()
  }

  #plan(victim: Victim, teams: number): KillPlan {
    const at = this.#traffic.pick(['arrived', 'arrived', 'answered', 'acknowledged'])
    return { at, number: 1 + this.#traffic.below(teams * (at === 'acknowledged' ? 3 : 6)), victim }
  }

  /** Waits until everything that is to happen has happened, and lets time pass for it. */
  async #calmDown(fixture: AlarmFixture, players: readonly Player[], { providers }: RunParts): Promise<void> {
    const rig = this.#rig
    await untilNothing(async () =>
      players
        .filter(({ machine }) => machine.unacknowledged > 0)
        .map(({ machine }) => `${machine.unacknowledged} messages of a machine without acknowledgement`),
    )
    const machineIds = fixture.machines.map(({ machineId }) => machineId)
    const wanted = players.reduce((sum, { traffic }) => sum + traffic.alarms.size, 0)
    await untilNothing(async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from alarms where machine_id = any(${machineIds}::bigint[])`.execute(
        rig.db,
      )
      const missing = wanted - (rows[0]?.count ?? 0)
      return missing > 0 ? [`${missing} of ${wanted} alarms not raised`] : []
    })
    for (let passes = 0; passes < passesMax; passes++) {
      await rig.pass(passMs)
      await untilNothing(async () => {
        const { rows } = await sql<{ what: string }>`
          select 'notification ' || id || ' queued' as what from notifications where state = 'queued'
          union all select 'job ' || name || ' ' || state from jobs.job
            where name in ('sms', 'email') and state in ('created', 'retry', 'active')`.execute(rig.db)
        const isDone = providers.every((provider) => provider.isDone())
        return [...rows.map(({ what }) => what), ...(isDone ? [] : ['receipts of a provider'])]
      })
      const { rows } = await sql`
        select from notification_windows where digest_due_at is not null
        union all select from alarm_escalation_runs where ended_at is null`.execute(rig.db)
      if (rows.length === 0) break
    }
    await rig.pass(0)
  }
}

interface Player {
  readonly traffic: Traffic
  readonly machine: AlarmMachine
}

/** Waits until nothing is left to happen. @throws with what is left, when a platform that works would be done */
async function untilNothing(listLeft: () => Promise<readonly string[]>): Promise<void> {
  for (const until = Date.now() + quietMsMax; ; await sleep(15)) {
    const left = await listLeft()
    if (left.length === 0) return
    if (Date.now() > until) throw new Error(`Left after ${quietMsMax} ms: ${left.join(', ')}.`)
  }
}
