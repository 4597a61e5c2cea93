import type { TagValueEvent } from '../../kernel/bus/bus.ts'
import { type Database, withClient } from '../../kernel/database/database.ts'
import { findOwnedSince } from '../../kernel/database/owned-since.ts'
import { isNewest, type Newest, type NewestValues } from './latest-flush.ts'
import { newestAmong } from './newest-in-logs.ts'
import type { SparkRing } from './spark-ring.ts'
import { listTagSettings, noSettings } from './tag-settings-store.ts'
import { MachineTags, TagState, trustedQuality, type Watch } from './tag-state.ts'
import { qualityOf, type TagType } from './tag-type.ts'
import { listCurrentTags, listOwnedSince, type TagRow } from './tags-store.ts'

/** Above this many tags in memory, machines that were not used for a while are let go. */
const heldTagsMax = 1_000_000
const idleMsMin = 10 * 60_000
/** For a machine that never changed hands. */
export const everOwned = 0
/** Machines in one query. */
export const machinesPerQueryMax = 500

/** The tags of the machines in use, loaded at their first use. */
export class TagRegistry {
  readonly #db: Database
  readonly #reads: Database
  readonly #now: () => number
  readonly #ringOf: (tagId: number) => SparkRing | undefined
  readonly #watchOf: (machineId: number, tag: TagState) => Watch | undefined
  readonly #unwritten: (machineIds: readonly number[]) => Promise<readonly NewestValues[]>
  readonly #machines = new Map<number, MachineTags>()
  readonly #byId = new Map<number, TagState>()
  /** When machines went offline, kept while their tags are not. */
  readonly #staleAt = new Map<number, number>()
  readonly #loading = new Map<number, Promise<unknown>>()
  readonly #beganAt: number
  /** Counts readings of settings: of two parallel ones, the one that began later is newer. */
  #settingsReadings = 0

  constructor(options: {
    db: Database
    /** The pool for questions of people; `db` where missing. */
    reads?: Database
    now: () => number
    /** The sparkline that a tag's samples are folded into, if it is on a screen. */
    ringOf: (tagId: number) => SparkRing | undefined
    /** The watch that evaluates the samples of a tag, if there is one. */
    watchOf: (machineId: number, tag: TagState) => Watch | undefined
    /** Newest values of machines that may not be in the store yet; asked before it is read. */
    unwritten: (machineIds: readonly number[]) => Promise<readonly NewestValues[]>
  }) {
    this.#db = options.db
    this.#reads = options.reads ?? options.db
    this.#now = options.now
    this.#ringOf = options.ringOf
    this.#watchOf = options.watchOf
    this.#unwritten = options.unwritten
    // Values from before this process began are stale; those of its first millisecond are fresh.
    this.#beganAt = options.now() - 1
  }

  /** A machine that is in memory. */
  get(machineId: number): MachineTags | undefined {
    return this.#machines.get(machineId)
  }

  tagById(tagId: number): TagState | undefined {
    return this.#byId.get(tagId)
  }

  /** Brings machines into memory. */
  async load(machineIds: readonly number[]): Promise<void> {
    const missing = machineIds.filter((id) => !this.#machines.has(id))
    if (missing.length === 0) return
    const fresh = missing.filter((id) => !this.#loading.has(id))
    for (let from = 0; from < fresh.length; from += machinesPerQueryMax) {
      const some = fresh.slice(from, from + machinesPerQueryMax)
      const loading = this.refresh(some).finally(() => {
        for (const id of some) this.#loading.delete(id)
      })
      for (const id of some) this.#loading.set(id, loading)
    }
    await Promise.all(new Set(missing.map((id) => this.#loading.get(id))))
  }

  /** One machine as its present owner may see it, loaded when it is not. */
  async require(machineId: number): Promise<MachineTags> {
    await this.load([machineId])
    const since = await findOwnedSince(this.#reads, machineId)
    if (this.#machines.get(machineId)?.ownedSince !== since) await this.refresh([machineId])
    const machine = this.#machines.get(machineId)
    if (!machine) throw new Error(`machine ${machineId} was let go while it was loaded`)
    machine.usedAt = this.#now()
    return machine
  }

  /** The same for several machines, with one query for those that memory does not have. */
  async requireEach(machineIds: readonly number[]): Promise<MachineTags[]> {
    await this.load(machineIds)
    const since = await withClient(this.#reads, (client) => listOwnedSince(client, machineIds))
    const isChanged = (id: number) => this.#machines.get(id)?.ownedSince !== (since.get(id) ?? everOwned)
    await this.refresh(machineIds.filter(isChanged))
    return machineIds.flatMap((id) => {
      const machine = this.#machines.get(id)
      if (machine) machine.usedAt = this.#now()
      return machine ?? []
    })
  }

  /**
   * Reads tags anew and adds those that memory does not have; newest values in memory stay where the store has no newer
   * ones, except for machines with another owner. Answers the machines that memory had without these tags or values.
   */
  async refresh(machineIds: readonly number[]): Promise<ReadonlySet<number>> {
    const changed = new Set<number>()
    if (machineIds.length === 0) return changed
    const reading = ++this.#settingsReadings
    const unwritten = await this.#unwritten(machineIds)
    const { since, rows, settings } = await withClient(this.#db, async (client) => ({
      // In this order: a change of owner between the two is found out the next time.
      since: await listOwnedSince(client, machineIds),
      rows: await listCurrentTags(client, machineIds),
      settings: await listTagSettings(client, machineIds),
    }))
    const fresh = new Set<MachineTags>()
    for (const id of machineIds) {
      const ownedSince = since.get(id) ?? everOwned
      const known = this.#machines.get(id)
      if (known?.ownedSince === ownedSince) continue
      if (known) this.#drop(known)
      const staleAt = this.#staleAt.get(id) ?? this.#beganAt
      const machine = new MachineTags(id, ownedSince, staleAt, this.#now())
      machine.settings = settings.get(id) ?? noSettings
      machine.settingsReading = reading
      fresh.add(machine)
      this.#machines.set(id, machine)
    }
    for (const row of rows) {
      const machine = this.#machines.get(row.machine_id)
      if (!machine) continue
      const newest = newestAmong(row.id, newestOf(row), unwritten)
      const known = machine.find(row.group_name, row.name)
      if (known?.id === row.id) {
        if (newest && isNewest(newest.latest, known.latest?.time)) {
          machine.take(known, newest.latest, newest.latestStamp)
          changed.add(machine.machineId)
        }
        continue
      }
      this.add(machine, tagOf(row, newest))
      if (!fresh.has(machine)) changed.add(machine.machineId)
    }
    return changed
  }

  /** Reads anew the settings of a machine's tags, after its keys changed them. */
  async describe(machineId: number): Promise<void> {
    // One that is being loaded may have read before the change.
    await this.#loading.get(machineId)?.catch(() => undefined)
    if (!this.#machines.has(machineId)) return
    const reading = ++this.#settingsReadings
    const settings = await withClient(this.#db, (client) => listTagSettings(client, [machineId]))
    const machine = this.#machines.get(machineId)
    if (!machine || machine.settingsReading > reading) return
    machine.settingsReading = reading
    machine.describe(settings.get(machineId) ?? noSettings)
  }

  /** Newest values as they are stored, of machines that no process holds; memory is neither read nor filled. */
  async readStored(machineIds: readonly number[]): Promise<Map<number, TagValueEvent[]>> {
    const stored = new Map<number, TagValueEvent[]>()
    for (let from = 0; from < machineIds.length; from += machinesPerQueryMax) {
      const some = machineIds.slice(from, from + machinesPerQueryMax)
      const unwritten = await this.#unwritten(some)
      const rows = await withClient(this.#reads, (client) => listCurrentTags(client, some))
      for (const row of rows) {
        const latest = newestAmong(row.id, newestOf(row), unwritten)?.latest
        if (!latest) continue
        const values = stored.get(row.machine_id) ?? []
        values.push({ ...latest, quality: trustedQuality(latest.quality, true) })
        stored.set(row.machine_id, values)
      }
    }
    return stored
  }

  /** Lets a machine go that has another owner or another node; also one that is being loaded, from before or after. */
  disown(machineId: number): void {
    const drop = () => {
      const machine = this.#machines.get(machineId)
      if (machine) this.#drop(machine)
    }
    drop()
    this.#loading.get(machineId)?.then(drop, drop)
  }

  /** The same of all machines but some. */
  disownAllBut(isKept: (machineId: number) => boolean): void {
    const known = new Set([...this.#machines.keys(), ...this.#loading.keys()])
    for (const machineId of known) if (!isKept(machineId)) this.disown(machineId)
  }

  /** Puts a tag that has its row into memory; one of a machine that was let go meanwhile stays out of it. */
  add(machine: MachineTags, tag: TagState): void {
    if (this.#machines.get(machine.machineId) !== machine) return
    const before = machine.find(tag.group, tag.name)
    if (before) this.#byId.delete(before.id)
    machine.set(tag)
    tag.ring = this.#ringOf(tag.id)
    tag.watch = this.#watchOf(machine.machineId, tag)
    this.#byId.set(tag.id, tag)
  }

  setStale(machineId: number, at: number): void {
    this.#staleAt.set(machineId, at)
    const machine = this.#machines.get(machineId)
    if (machine) machine.staleAt = at
  }

  /** Drops machines that were unused for a while, when there are too many; `isDirty` ones stay. */
  evict(isDirty: (tag: TagState) => boolean): void {
    if (this.#byId.size <= heldTagsMax) return
    const before = this.#now() - idleMsMin
    for (const machine of [...this.#machines.values()].sort((a, b) => a.usedAt - b.usedAt)) {
      if (this.#byId.size <= heldTagsMax || machine.usedAt > before) return
      if (machine.all().some(isDirty)) continue
      this.#drop(machine)
    }
  }

  #drop(machine: MachineTags): void {
    for (const tag of machine.all()) this.#byId.delete(tag.id)
    this.#machines.delete(machine.machineId)
  }
}

function tagOf(row: TagRow, newest: Newest | undefined): TagState {
  const tag = new TagState(row.id, row.group_name, row.name, row.version, row.type, {
    label: row.label,
    unit: row.unit,
    scale: row.scale,
    min: row.min,
    max: row.max,
    readOnly: row.read_only,
    isKey: row.is_key,
  })
  tag.enumTexts = row.enum ?? undefined
  tag.latest = newest?.latest
  tag.latestStamp = newest?.latestStamp ?? 0
  return tag
}

/** The newest value of a row. */
function newestOf(row: TagRow): Newest | undefined {
  if (!row.at || !row.received_at || row.quality === null) return undefined
  const latest = {
    tagId: row.id,
    value: storedValue(row.type, row),
    quality: qualityOf(row.quality),
    time: row.at.getTime(),
    receivedAt: row.received_at.getTime(),
  }
  return { latest, latestStamp: (row.stamp ?? row.at).getTime() }
}

/** A value as its columns hold it: bool and int64 in `int`, float64 in `num`, string in `text`. */
export function storedValue(
  type: TagType,
  row: { readonly num: number | null; readonly int: string | null; readonly text: string | null },
): boolean | number | bigint | string | null {
  if (type === 'float64') return row.num
  if (type === 'string') return row.text
  if (row.int === null) return null
  return type === 'bool' ? row.int !== '0' : BigInt(row.int)
}
