import type { Fact } from '../../kernel/facts/fact-kinds.ts'
import type { LiveFollower } from '../../kernel/facts/follower.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { EnterpriseList } from '../access/index.ts'
import { shelveKinds } from '../alarms/index.ts'
import type { MapMachine } from './map-cells.ts'
import { type MarkSources, readMarks } from './map-marks.ts'
import { listPlacedOf } from './map-store.ts'

const ofMachine = [
  'machine.online',
  'machine.offline',
  'machine.placed',
  'alarm.raised',
  'alarm.changed',
  'alarm.cleared',
  ...shelveKinds,
] as const
const ofList = ['device.added', 'device.removed', 'machine.ownerChanged'] as const
type FleetKind = (typeof ofMachine)[number] | (typeof ofList)[number]

/** A fleet that nobody asks for is kept so long, in ms. */
const idleMsMax = 10 * 60_000
/** Machines that one process keeps, of all fleets: some 100 MB. */
const keptMax = 500_000

interface Fleet {
  readonly list: EnterpriseList
  /** The machines with a place. */
  readonly marks: Map<number, MapMachine>
  /** Machines to be read again. */
  readonly changed: Set<number>
  usedAt: number
  /** Settles when all of it has been read once. */
  whole: Promise<void>
  isWhole: boolean
  /** While changed machines are read. */
  reading: Promise<void> | undefined
}

interface Deps extends MarkSources {
  readonly logger: Logger
  now(): number
}

/**
 * Marks of lists that are too large to be read at each call. Each fleet is read from its sources once, and after a fact
 * about one of its machines that machine again, so that nothing is added up and nothing drifts. Rights are never kept:
 * the caller asks for them.
 */
export class MapFleets {
  readonly #deps: Deps
  readonly #fleets = new Map<string, Fleet>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** The machines of a list with a place, by id. */
  async marksOf(list: EnterpriseList): Promise<ReadonlyMap<number, MapMachine>> {
    const key = `${list.kind} ${list.eid}`
    const fleet = this.#fleets.get(key) ?? this.#open(key, list)
    fleet.usedAt = this.#deps.now()
    await fleet.whole
    return fleet.marks
  }

  get follower(): LiveFollower<FleetKind> {
    return {
      name: 'map.fleets',
      mode: 'live',
      kinds: [...ofMachine, ...ofList],
      follow: (facts) => {
        const now = this.#deps.now()
        for (const [key, fleet] of this.#fleets) {
          if (now - fleet.usedAt > idleMsMax) this.#fleets.delete(key)
          else this.#note(key, fleet, facts)
        }
      },
    }
  }

  /** Waits for running reads. */
  async stop(): Promise<void> {
    const fleets = [...this.#fleets.values()]
    this.#fleets.clear()
    for (const fleet of fleets) fleet.changed.clear()
    await Promise.allSettled(fleets.flatMap(({ whole, reading }) => [whole, reading]))
  }

  #open(key: string, list: EnterpriseList): Fleet {
    const fleet: Fleet = {
      list,
      marks: new Map(),
      changed: new Set(),
      usedAt: this.#deps.now(),
      whole: Promise.resolve(),
      isWhole: false,
      reading: undefined,
    }
    this.#fleets.set(key, fleet)
    fleet.whole = this.#readWhole(key, fleet)
    return fleet
  }

  async #readWhole(key: string, fleet: Fleet): Promise<void> {
    try {
      await this.#read(fleet)
    } catch (error) {
      this.#drop(key, fleet)
      throw error
    }
    fleet.isWhole = true
    this.#makeRoom(fleet)
    this.#catchUp(key, fleet)
  }

  /** Facts of before the first read are read again after it: which of them it saw is not known. */
  #note(key: string, fleet: Fleet, facts: readonly Fact<FleetKind>[]): void {
    for (const fact of facts) {
      if (!fleet.isWhole || mayConcern(fleet, fact)) fleet.changed.add(fact.machineId)
    }
    if (fleet.isWhole) this.#catchUp(key, fleet)
  }

  #catchUp(key: string, fleet: Fleet): void {
    if (fleet.reading || fleet.changed.size === 0) return
    fleet.reading = this.#readChanged(key, fleet)
  }

  async #readChanged(key: string, fleet: Fleet): Promise<void> {
    try {
      while (fleet.changed.size > 0) {
        const some = [...fleet.changed]
        fleet.changed.clear()
        await this.#read(fleet, some)
      }
    } catch (error) {
      // The next call reads all of it.
      this.#drop(key, fleet)
      this.#deps.logger.warn({ err: error, eid: fleet.list.eid }, 'map.readFailed')
    } finally {
      fleet.reading = undefined
    }
  }

  async #read(fleet: Fleet, machineIds?: readonly number[]): Promise<void> {
    const placed = await listPlacedOf(this.#deps.db, fleet.list, machineIds)
    const marks = await readMarks(this.#deps, placed, this.#deps.now())
    for (const id of machineIds ?? []) fleet.marks.delete(id)
    for (const mark of marks) fleet.marks.set(mark.id, mark)
  }

  #drop(key: string, fleet: Fleet): void {
    if (this.#fleets.get(key) === fleet) this.#fleets.delete(key)
  }

  /** Lets those go that were not asked for longest. */
  #makeRoom(newest: Fleet): void {
    const kept = [...this.#fleets].sort(([, a], [, b]) => b.usedAt - a.usedAt)
    let sum = newest.marks.size
    for (const [key, fleet] of kept) {
      if (fleet === newest) continue
      sum += fleet.marks.size
      if (sum > keptMax) this.#fleets.delete(key)
    }
  }
}

/** Machines that come into a list, or get their first place, are in none of its marks. */
function mayConcern({ list, marks }: Fleet, fact: Fact<FleetKind>): boolean {
  if (marks.has(fact.machineId) || fact.kind === 'machine.placed') return true
  if (fact.kind === 'device.added') return fact.enterpriseId === list.eid
  return fact.kind === 'machine.ownerChanged' && fact.to !== null && 'enterpriseId' in fact.to
    ? fact.to.enterpriseId === list.eid
    : false
}
