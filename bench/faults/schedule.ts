import type { SystemWay } from '@busbar/platform/test-support/destinations/counting-system.ts'
import { createRandom, type Random } from '../../simulator/src/random.ts'

/** The platform's PostgreSQL: its own child, or an external server. */
export type Flavour = 'embedded' | 'external'

/** One fault. Times in milliseconds from the begin of the run. */
export type Fault = { readonly atMs: number } & (
  | { readonly kind: 'kill'; readonly target: KillTarget; readonly restartMs: number }
  | { readonly kind: 'freeze'; readonly target: FreezeTarget; readonly forMs: number }
  | {
      readonly kind: 'fullDisk'
      readonly target: 'platform' | 'agent'
      readonly forMs: number
      /** Makes PostgreSQL want a file for its log too, not only for its tables. */
      readonly wantsLog: boolean
    }
  | { readonly kind: 'noDatabase'; readonly forMs: number }
  | {
      readonly kind: 'cut' | 'delay' | 'noAnswers' | 'noRequests'
      readonly target: LineName
      readonly forMs: number
      /** One way, for `delay`. */
      readonly delayMs: number
      /** The end of a half-open line: the queued data arrives, or everything is reset. */
      readonly ends: 'arrives' | 'reset'
    }
  | {
      readonly kind: 'clock'
      readonly target: 'platform' | 'agent'
      readonly forMs: number
      /** `1970`: the clock of a machine whose battery is flat. */
      readonly step: number | '1970'
    }
  /** The system that a project sends its rows to. */
  | {
      readonly kind: 'receiver'
      readonly target: 'receiver'
      readonly way: Exclude<SystemWay, 'well'>
      readonly forMs: number
    }
  /** The database is what it was some time before; the separate server goes on. */
  | { readonly kind: 'restore'; readonly target: 'platform'; readonly forMs: number }
)

type KillTarget = 'platform' | 'postmaster' | 'backend' | 'agent'
type FreezeTarget = 'platform' | 'postmaster' | 'postgres' | 'backend' | 'agent'
/** The client whose line it is. */
export type LineName = 'agent' | 'clients'

/** The subject of a run: that values are stored, or that a project's system gets those that are. */
export type Subject = 'values' | 'rows'

/** The schedule of one run. The same subject, seed and scale give the same schedule everywhere. */
export interface Schedule {
  readonly subject: Subject
  readonly seed: number
  readonly flavour: Flavour
  readonly faults: readonly Fault[]
}

/** Duration of faults: `short` for CI, `full` as long as real outages. */
export type Scale = 'short' | 'full'

type Draw = (random: Random, scale: Scale) => Fault

const between = (random: Random, from: number, to: number) => Math.round(from + random() * (to - from))
const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

const atOf = (random: Random) => between(random, 200, 1_500)
/** Most outages are short; in `full` one in four is longer than every time-out on the way. */
const forOf = (random: Random, scale: Scale) =>
  scale === 'full' && random() < 0.25 ? between(random, 10_000, 40_000) : between(random, 500, 3_500)

const kill =
  (target: KillTarget): Draw =>
  (random) => ({ kind: 'kill', target, atMs: atOf(random), restartMs: between(random, 100, 1_000) })

const freeze =
  (target: FreezeTarget): Draw =>
  (random, scale) => ({ kind: 'freeze', target, atMs: atOf(random), forMs: forOf(random, scale) })

const fullDisk =
  (target: 'platform' | 'agent'): Draw =>
  (random, scale) => ({
    kind: 'fullDisk',
    target,
    atMs: atOf(random),
    forMs: forOf(random, scale),
    wantsLog: random() < 0.5,
  })

const noDatabase: Draw = (random, scale) => ({
  kind: 'noDatabase',
  atMs: atOf(random),
  forMs: scale === 'full' ? 60_000 : 6_000,
})

const line =
  (kind: 'cut' | 'delay' | 'noAnswers' | 'noRequests', target: LineName): Draw =>
  (random, scale) => ({
    kind,
    target,
    atMs: atOf(random),
    forMs: forOf(random, scale),
    delayMs: between(random, 50, 800),
    ends: pick(random, ['arrives', 'reset']),
  })

const hourMs = 3_600_000
const clock =
  (target: 'platform' | 'agent'): Draw =>
  (random, scale) => ({
    kind: 'clock',
    target,
    atMs: atOf(random),
    forMs: forOf(random, scale),
    step: pick(random, ['1970', -between(random, 1, 10) * hourMs, between(random, 1, 10) * hourMs] as const),
  })

const receiver =
  (way: Exclude<SystemWay, 'well'>): Draw =>
  (random) => ({
    kind: 'receiver',
    target: 'receiver',
    way,
    atMs: atOf(random),
    forMs: between(random, 500, 3_500),
  })

const restore: Draw = (random) => ({
  kind: 'restore',
  target: 'platform',
  atMs: atOf(random),
  forMs: between(random, 300, 2_000),
})

interface Turn {
  readonly flavour: Flavour
  readonly draw: Draw
}

/** By its place in the cycle a run gets one of these for sure: twenty runs in a row meet all of them. */
const cycle: readonly Turn[] = [
  { flavour: 'embedded', draw: kill('platform') },
  { flavour: 'embedded', draw: kill('postmaster') },
  { flavour: 'embedded', draw: kill('backend') },
  { flavour: 'embedded', draw: kill('agent') },
  { flavour: 'embedded', draw: freeze('platform') },
  { flavour: 'embedded', draw: freeze('postgres') },
  { flavour: 'embedded', draw: freeze('backend') },
  { flavour: 'embedded', draw: freeze('agent') },
  { flavour: 'embedded', draw: fullDisk('platform') },
  { flavour: 'embedded', draw: fullDisk('agent') },
  { flavour: 'embedded', draw: noDatabase },
  { flavour: 'embedded', draw: line('cut', 'agent') },
  { flavour: 'embedded', draw: line('noAnswers', 'clients') },
  { flavour: 'embedded', draw: line('noRequests', 'agent') },
  { flavour: 'embedded', draw: clock('platform') },
  { flavour: 'embedded', draw: clock('agent') },
  { flavour: 'external', draw: noDatabase },
  { flavour: 'external', draw: freeze('postmaster') },
  { flavour: 'external', draw: kill('platform') },
  { flavour: 'external', draw: line('delay', 'agent') },
]

/** The possible additional faults. Two clocks or two full disks together would only hide each other. */
const further: readonly Draw[] = [
  kill('platform'),
  kill('postmaster'),
  kill('backend'),
  kill('agent'),
  freeze('platform'),
  freeze('postgres'),
  freeze('agent'),
  line('cut', 'agent'),
  line('cut', 'clients'),
  line('delay', 'clients'),
  line('noAnswers', 'agent'),
  line('noAnswers', 'clients'),
  line('noRequests', 'clients'),
]
const furtherMax = 2

/** Likewise of runs about rows. The first two meet what no other run does: answers that are lost, and a restore. */
const rowsCycle: readonly Turn[] = [
  { flavour: 'embedded', draw: receiver('losesAnswers') },
  { flavour: 'external', draw: restore },
  { flavour: 'embedded', draw: kill('platform') },
  { flavour: 'embedded', draw: receiver('gone') },
  { flavour: 'embedded', draw: fullDisk('platform') },
  { flavour: 'embedded', draw: kill('postmaster') },
  { flavour: 'external', draw: kill('backend') },
  { flavour: 'embedded', draw: receiver('silent') },
  { flavour: 'embedded', draw: noDatabase },
  { flavour: 'external', draw: kill('platform') },
]
const rowsFurther: readonly Draw[] = [
  ...further,
  receiver('losesAnswers'),
  receiver('gone'),
  receiver('failing'),
  receiver('silent'),
]

/** Number of runs after which the platform and its parts are made again. */
export const runsPerCycle = cycle.length

/** The faults of the run of a seed (0 or more). */
export function drawSchedule(subject: Subject, seed: number, scale: Scale): Schedule {
  const random = createRandom(Math.imul(seed + 1, 0x9e3779b1))
  const [turns, others] = subject === 'rows' ? [rowsCycle, rowsFurther] : [cycle, further]
  const { flavour, draw } = turns[seed % turns.length] as Turn
  const faults = [draw(random, scale)]
  const count = Math.floor(random() * (furtherMax + 1))
  for (let more = 0; more < count; more++) {
    const fault = pick(random, others)(random, scale)
    // One fault per kind and target, because a killed or cut one cannot be killed or cut again in the
    // meantime.
    if (!faults.some((other) => sameTarget(other, fault))) faults.push(fault)
  }
  return { subject, seed, flavour, faults: faults.sort((a, b) => a.atMs - b.atMs) }
}

/** `first`, and so few of `more` that each kind of fault of theirs is met at each of its targets. */
export function coverFaults(first: readonly Schedule[], more: readonly Schedule[]): Schedule[] {
  const keysOf = ({ faults }: Schedule) => faults.map((fault) => `${fault.kind} ${targetOf(fault)}`)
  const met = new Set(first.flatMap(keysOf))
  const countNew = (schedule: Schedule) => keysOf(schedule).filter((key) => !met.has(key)).length
  const chosen = [...first]
  for (;;) {
    const next = more.reduce((best, one) => (countNew(one) > countNew(best) ? one : best))
    if (countNew(next) === 0) return chosen
    for (const key of keysOf(next)) met.add(key)
    chosen.push(next)
  }
}

const targetOf = (fault: Fault) => ('target' in fault ? fault.target : 'postmaster')

function sameTarget(a: Fault, b: Fault): boolean {
  // Its platform, its database and its agent are all taken to another time.
  if (a.kind === 'restore') return b.kind !== 'receiver'
  const isLine = (fault: Fault) => 'delayMs' in fault
  return isLine(a) === isLine(b) && family(targetOf(a)) === family(targetOf(b))
}

/** Targets that must not have two faults at the same time. */
const family = (target: string) => (/^(post|back)/.test(target) ? 'postgres' : target)

/** A fault in a few words, for a test's name and a report. */
export function describeFault(fault: Fault): string {
  const s = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  switch (fault.kind) {
    case 'kill':
      return `kill -9 ${fault.target}`
    case 'freeze':
      return `freeze ${fault.target} ${s(fault.forMs)}`
    case 'fullDisk':
      return `disk full of ${fault.target} ${s(fault.forMs)}`
    case 'noDatabase':
      return `PostgreSQL gone ${s(fault.forMs)}`
    case 'cut':
      return `cut ${fault.target} ${s(fault.forMs)}`
    case 'delay':
      return `delay ${fault.target} by ${fault.delayMs} ms ${s(fault.forMs)}`
    case 'noAnswers':
    case 'noRequests':
      return `${fault.kind === 'noAnswers' ? 'nothing reaches' : 'nothing comes from'} ${fault.target} ${s(fault.forMs)}, then ${fault.ends === 'reset' ? 'a reset' : 'it arrives'}`
    case 'receiver':
      return `receiver ${fault.way} ${s(fault.forMs)}`
    case 'restore':
      return `restore of a backup of ${s(fault.forMs)} before`
    case 'clock':
      return `clock of ${fault.target} ${fault.step === '1970' ? 'in 1970' : `${fault.step > 0 ? '+' : ''}${fault.step / hourMs} h`} ${s(fault.forMs)}`
  }
}

export const describeSchedule = ({ faults }: Schedule): string => faults.map(describeFault).join(' + ')
