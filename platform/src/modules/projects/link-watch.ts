import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { every } from '../../kernel/every.ts'
import type { NewFact } from '../../kernel/facts/fact-kinds.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { RightChange, RightsWatch } from '../../kernel/rights/rights-watch.ts'
import type { AccessPort } from '../access/index.ts'
import { type LinkRow, listLinks, lockLinks, stopLinks } from './links-store.ts'
import { decideLink, type LinkState } from './projects-rules.ts'

/** A machine of a project, with the decision about it. */
export interface Link extends Omit<LinkRow, keyof LinkState>, LinkState {}

/** The report of a project: only links whose rows go out. */
export interface ProjectPlan {
  readonly projectId: number
  readonly everyS: number
  readonly variables: LinkRow['variables']
  readonly links: readonly Pick<Link, 'linkId' | 'machineId' | 'machineCode' | 'machineName' | 'linkedAt'>[]
}

/** The links of all projects, as every process asks them at the moment of acting. */
export interface Links {
  /** Whether rows of this link may go out now. Cheap. */
  isActive(linkId: number): boolean
  /**
   * `paused`: its whole project reports nothing now, and goes on later with the rows that wait. `unknown`: it was removed,
   * or is too new.
   */
  stateOf(linkId: number): 'active' | 'paused' | 'ended' | 'unknown'
  /** The link of a machine in a project, if the project has it now: for writing and visits. */
  find(projectId: number, machineId: number): Link | undefined
  /** Whether the links are known as they are now; otherwise none is active or found. */
  isTrusted(): boolean
  /** Waits until changes that calls have confirmed are in effect here. */
  catchUp(): Promise<void>
  /** The plans of all projects that report. */
  listPlans(): ProjectPlan[]
  /** Told after each change of plans, with the links that ended or paused by it. Answers the function that ends it. */
  subscribe(listener: (ended: ReadonlySet<number>) => void): () => void
}

interface Deps {
  readonly db: Database
  /** Connections that calls do not use up. */
  readonly watch: Database
  readonly access: AccessPort
  readonly rights: Pick<RightsWatch, 'subscribe' | 'isAwake' | 'unreadMs' | 'catchUp'>
  readonly facts: Pick<Facts, 'recordAll'>
  readonly logger: Logger
  /** Whether this process writes down which links ended. */
  readonly keepsEnds: boolean
  now(): number
}

/** A change that could not be looked up for this time counts against the links (rules/projects.md: effect at once). */
const trustedMs = 1_000
/** Nothing goes out while rights were not read for this time. */
const blindMs = 5_000
const retryMs = 100
/** Links that one query reads. */
const pageMax = 1_000
/** Names of machines change without a change of rights. */
const allEveryMs = 60_000

/**
 * Follows the state of every link in memory: a change of a right, a membership, a machine's owner or a project is told by
 * `right_changes`, and the links that it may concern are read again.
 */
export class LinkWatch implements Links {
  readonly #deps: Deps
  readonly #links = new Map<number, Link>()
  readonly #places = new Map<string, number>()
  readonly #listeners = new Set<(ended: ReadonlySet<number>) => void>()
  #changes: RightChange[] = []
  #readsAll = false
  /** Since when a change waits to be read; infinite while none does. */
  #waitsSince = Number.POSITIVE_INFINITY
  #reading: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #unsubscribe: (() => void) | undefined
  #isStopped = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async start(): Promise<void> {
    const { rights, logger } = this.#deps
    this.#unsubscribe = rights.subscribe({
      changed: (change) => this.#note(change),
      blind: () => this.#tell(new Set(this.#links.keys())),
    })
    this.#timer = every(allEveryMs, () => this.#wake(), logger)
    this.#readsAll = true
    this.#wake()
    await this.#reading
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#unsubscribe?.()
    clearInterval(this.#timer)
    await this.#reading
  }

  isActive(linkId: number): boolean {
    return this.isTrusted() && this.#links.get(linkId)?.isReporting === true
  }

  stateOf(linkId: number): ReturnType<Links['stateOf']> {
    const link = this.#links.get(linkId)
    if (!link) return 'unknown'
    if (link.isReporting) return 'active'
    return link.stop === null && link.person === 'active' ? 'paused' : 'ended'
  }

  find(projectId: number, machineId: number): Link | undefined {
    const link = this.#links.get(this.#places.get(placeOf({ projectId, machineId })) ?? 0)
    return link?.isHeld && this.isTrusted() ? link : undefined
  }

  isTrusted(): boolean {
    const { rights } = this.#deps
    return rights.isAwake() && rights.unreadMs < blindMs && performance.now() - this.#waitsSince < trustedMs
  }

  async catchUp(): Promise<void> {
    await this.#deps.rights.catchUp()
    await this.#reading
  }

  listPlans(): ProjectPlan[] {
    const active = [...this.#links.values()].filter(({ isReporting }) => isReporting)
    return [...Map.groupBy(active, ({ projectId }) => projectId)].map(([projectId, links]) => {
      const [{ everyS, variables }] = links as [Link]
      return { projectId, everyS, variables, links }
    })
  }

  subscribe(listener: (ended: ReadonlySet<number>) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #note(change: RightChange): void {
    if (change.userId === null && change.machineId === null && change.projectId === null) return
    this.#changes.push(change)
    this.#waitsSince = Math.min(this.#waitsSince, performance.now())
    this.#read()
  }

  /** Reads all links again. */
  #wake(): void {
    this.#readsAll = true
    this.#read()
  }

  #read(): void {
    this.#reading ??= this.#readUntilNone().finally(() => {
      this.#reading = undefined
    })
  }

  async #readUntilNone(): Promise<void> {
    while (!this.#isStopped && (this.#readsAll || this.#changes.length > 0)) {
      const [changes, readsAll] = [this.#changes, this.#readsAll]
      this.#changes = []
      this.#readsAll = false
      try {
        await this.#readLinks(changes, readsAll)
        if (this.#changes.length === 0) this.#waitsSince = Number.POSITIVE_INFINITY
        else this.#waitsSince = performance.now()
      } catch (error) {
        this.#deps.logger.warn({ err: error }, 'projectLinks.readFailed')
        this.#changes = [...changes, ...this.#changes]
        this.#readsAll ||= readsAll
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
  }

  async #readLinks(changes: readonly RightChange[], readsAll: boolean): Promise<void> {
    const { watch, access, now } = this.#deps
    const choice = {
      projectIds: idsOf(changes, 'projectId'),
      machineIds: idsOf(changes, 'machineId'),
      userIds: idsOf(changes, 'userId'),
    }
    const rows = readsAll ? await this.#listAll() : await listLinks(watch, access, choice, now())
    const known = readsAll ? [...this.#links.values()] : this.#listKnown(choice)
    const before = new Map(known.map((link) => [link.linkId, link]))
    const read = rows.map((row): Link => ({ ...row, ...decideLink(row) }))
    for (const link of known) this.#remove(link)
    for (const link of read) this.#put(link)
    const ended = new Set(
      known
        .filter(({ linkId, isReporting }) => isReporting && !this.#links.get(linkId)?.isReporting)
        .map(({ linkId }) => linkId),
    )
    if (read.length !== known.length || read.some((link) => isOther(link, before.get(link.linkId))))
      this.#tell(ended)
    if (this.#deps.keepsEnds) await this.#keepEnds(rows)
  }

  async #listAll(): Promise<LinkRow[]> {
    const { watch, access, now } = this.#deps
    const rows: LinkRow[] = []
    let page: LinkRow[]
    do {
      page = await listLinks(watch, access, { after: rows.at(-1)?.linkId ?? 0, count: pageMax }, now())
      rows.push(...page)
    } while (page.length === pageMax)
    return rows
  }

  #listKnown({ projectIds, machineIds, userIds }: Record<'projectIds' | 'machineIds' | 'userIds', number[]>) {
    const [projects, machines, people] = [new Set(projectIds), new Set(machineIds), new Set(userIds)]
    return [...this.#links.values()].filter(
      ({ projectId, machineId, linkedBy }) =>
        projects.has(projectId) || machines.has(machineId) || (linkedBy !== null && people.has(linkedBy)),
    )
  }

  #put(link: Link): void {
    this.#links.set(link.linkId, link)
    this.#places.set(placeOf(link), link.linkId)
  }

  #remove(link: Link): void {
    this.#links.delete(link.linkId)
    if (this.#places.get(placeOf(link)) === link.linkId) this.#places.delete(placeOf(link))
  }

  /** Writes down which links ended by a right that was lost: they stay ended when it comes back. */
  async #keepEnds(rows: readonly LinkRow[]): Promise<void> {
    const { db, access, facts, now } = this.#deps
    const linkIds = endsOf(rows).map(({ linkId }) => linkId)
    if (linkIds.length === 0) return
    const at = now()
    await withTransaction(db, async (trx) => {
      await lockLinks(trx, linkIds)
      // Decided again: a member may have taken one over.
      const ends = endsOf(await listLinks(trx, access, { linkIds }, at))
      // A right that came back meanwhile has to be seen.
      this.#readsAll ||= ends.length < linkIds.length
      const stopped = await stopLinks(trx, ends, new Date(at))
      await facts.recordAll(
        trx,
        stopped.map(({ projectId, machineId, stop }): NewFact => {
          return { kind: 'project.machineStopped', projectId, machineId, stop, by: null, at }
        }),
      )
    })
  }

  #tell(ended: ReadonlySet<number>): void {
    for (const listener of this.#listeners) listener(ended)
  }
}

/** Links that end by themselves now. */
const endsOf = (rows: readonly LinkRow[]) =>
  rows.flatMap((row) => {
    const { stop } = decideLink(row)
    return row.stop === null && stop !== null ? [{ linkId: row.linkId, stop }] : []
  })

const placeOf = ({ projectId, machineId }: Pick<Link, 'projectId' | 'machineId'>) =>
  `${projectId} ${machineId}`

const idsOf = (changes: readonly RightChange[], field: 'projectId' | 'machineId' | 'userId'): number[] => [
  ...new Set(changes.flatMap((change) => change[field] ?? [])),
]

/** Whether a plan that has the link is another one than before. */
const isOther = (link: Link, before: Link | undefined): boolean =>
  JSON.stringify(link) !== JSON.stringify(before)
