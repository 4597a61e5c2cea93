import { type visits as contract, type Lang, limits } from '@busbar/contract'
import type { EdgeLink } from '../../edge-link/edge-link.ts'
import type { Telemetry } from '../telemetry/index.ts'
import { type Change, compareVisit, type Drift } from './compare.ts'
import { readValues } from './keep-values.ts'
import {
  type Db,
  listMachineWritings,
  listSnapshots,
  type PersonWrite,
  type Snapshot,
} from './visit-changes-store.ts'

export interface VisitChangesDeps {
  readonly db: Db
  readonly telemetry: Pick<Telemetry, 'listWireTags' | 'listTagNames'>
  readonly link: Pick<EdgeLink, 'latest'>
  now(): number
}

/** Changes of one visit. */
export interface FoundChanges {
  readonly visitId: number
  readonly changes: readonly contract.VisitChange[]
}

/** The values that visits left different at their machines. */
export class VisitChanges {
  readonly #deps: VisitChangesDeps

  constructor(deps: VisitChangesDeps) {
    this.#deps = deps
  }

  /** The record of one visit: of one under way as of now. */
  async find(visitId: number, lang: Lang): Promise<contract.VisitChanges> {
    const [visit] = await listSnapshots(this.#deps.db, [visitId])
    const most = limits.visitChangesMax
    if (!visit) return { state: 'none', changes: [], drifts: [], revision: null, isCut: false }
    const [compared] = await this.#compare(visit.machineId, [visit], most)
    const { changes = [], drifts = [] } = compared ?? {}
    const names = await this.#names(visit.machineId, lang, [...changes, ...drifts])
    const { revisionBefore: from, revisionAfter: to, isSettled, endedAt } = visit
    return {
      state: isSettled ? 'done' : endedAt ? 'settling' : 'open',
      changes: changes.slice(0, most).map(names.change),
      // While it goes on, nobody knows which writing a value still waits for.
      drifts: isSettled ? drifts.slice(0, most).map(names.drift) : [],
      revision: from !== null && to !== null && from !== to ? { from, to } : null,
      isCut: changes.length > most || drifts.length > most,
    }
  }

  /** The changes of several visits of one machine, each once: two visits of a person at a time share theirs. */
  async listOfVisits(
    machineId: number,
    visitIds: readonly number[],
    lang: Lang,
    most: number,
  ): Promise<FoundChanges[]> {
    const visits = await listSnapshots(this.#deps.db, visitIds)
    const compared = await this.#compare(machineId, visits, most)
    const names = await this.#names(
      machineId,
      lang,
      compared.flatMap(({ changes }) => changes),
    )
    const told = new Set<string>()
    return compared.map(({ visit, changes }) => {
      const isNew = ({ tagId, port, unit, place, at }: Change) => {
        const key = [visit.userId, tagId, port, unit, place, at].join('\n')
        return !told.has(key) && told.add(key)
      }
      return { visitId: visit.visitId, changes: changes.filter(isNew).map(names.change) }
    })
  }

  async #compare(machineId: number, visits: readonly Snapshot[], most: number) {
    if (visits.length === 0) return []
    const { db, now } = this.#deps
    const untilOf = ({ endedAt }: Snapshot) => endedAt ?? new Date(now())
    const visitIds = visits.map(({ visitId }) => visitId)
    const from = new Date(Math.min(...visits.map(({ begunAt }) => begunAt.getTime())))
    const to = new Date(Math.max(...visits.map((visit) => untilOf(visit).getTime())))
    const [writings, current] = await Promise.all([
      listMachineWritings(db, machineId, { from, to, visitIds }, most * 2),
      // A machine that does not answer has no newer values than those its visits know.
      visits.every(({ isSettled }) => isSettled)
        ? new Map()
        : readValues(this.#deps, machineId).catch(() => new Map()),
    ])
    return visits.map((visit) => {
      const [begun, until] = [visit.begunAt.getTime(), untilOf(visit).getTime()]
      const isOwn = (writing: PersonWrite) => writing.userId === visit.userId
      const meanwhile = writings.filter(
        ({ at, visitId }) => visitId === visit.visitId || (at >= begun && at <= until),
      )
      const own = meanwhile.filter(isOwn)
      const others = meanwhile.flatMap((one) => (isOwn(one) || one.tagId === null ? [] : [one.tagId]))
      const after = visit.isSettled ? visit.after : current
      return { visit, ...compareVisit({ before: visit.before, after, own, others: new Set(others) }) }
    })
  }

  /** Variables by the names that people read; one that is retired keeps the name it had. */
  async #names(machineId: number, lang: Lang, rows: readonly { readonly tagId: number | null }[]) {
    const { telemetry } = this.#deps
    const tags = new Map((await telemetry.listWireTags(machineId, lang)).map((tag) => [tag.tagId, tag]))
    const retired = rows.flatMap(({ tagId }) => (tagId === null || tags.has(tagId) ? [] : [tagId]))
    const former = await telemetry.listTagNames(retired)
    const nameOf = (tagId: number | null) =>
      tagId === null ? '' : (tags.get(tagId)?.name ?? former.get(tagId)?.name ?? '')
    return {
      change: (change: Change): contract.VisitChange => ({
        ...change,
        ways: [...change.ways],
        tag: nameOf(change.tagId),
        mayPutBack:
          change.from !== null && change.to !== null && tags.get(change.tagId ?? 0)?.readOnly === false,
      }),
      drift: (drift: Drift): contract.VisitDrift => ({ ...drift, tag: nameOf(drift.tagId) }),
    }
  }
}
