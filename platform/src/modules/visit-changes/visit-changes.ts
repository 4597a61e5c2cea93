import { type visits as contract, type Lang, limits } from '@busbar/contract'
import type { EdgeLink } from '../../edge-link/edge-link.ts'
import type { Telemetry } from '../telemetry/index.ts'
import { type Change, compareVisit, type Drift, type Values } from './compare.ts'
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

/** A change with its visit. */
export type FoundChange = contract.VisitChange & { readonly sessionId: number }

/** Their values are in memory together. */
const visitsAtOnce = 50

/** The values that visits left different at their machines. */
export class VisitChanges {
  readonly #deps: VisitChangesDeps

  constructor(deps: VisitChangesDeps) {
    this.#deps = deps
  }

  /** The record of one visit: of one under way as of now. `isReader`: who asks may see the machine's values now. */
  async find(visitId: number, lang: Lang, isReader: boolean): Promise<contract.VisitChanges> {
    const [visit] = await listSnapshots(this.#deps.db, [visitId])
    const most = limits.visitChangesMax
    if (!visit) return { state: 'none', changes: [], drifts: [], revision: null, isCut: false }
    const { compared, isCut } = await this.#compare(visit.machineId, [visit], isReader)
    const { changes = [], drifts = [] } = compared[0] ?? {}
    const names = await this.#names(visit.machineId, lang, [...changes, ...drifts])
    const { revisionBefore: from, revisionAfter: to, settledAt, endedAt } = visit
    return {
      state: settledAt ? 'done' : endedAt ? 'settling' : 'open',
      changes: changes.slice(0, most).map(names.change),
      // While it goes on, nobody knows which writing a value still waits for.
      drifts: settledAt ? drifts.slice(0, most).map(names.drift) : [],
      revision: from !== null && to !== null && from !== to ? { from, to } : null,
      isCut: isCut || changes.length > most || drifts.length > most,
    }
  }

  /**
   * The first `most` changes of several visits of one machine, each once: two visits of a person at a time share theirs. For
   * people who may see its values. `isCut`: there are more.
   */
  async listOfVisits(
    machineId: number,
    visitIds: readonly number[],
    lang: Lang,
    most: number,
  ): Promise<{ changes: readonly FoundChange[]; isCut: boolean }> {
    const told = new Set<string>()
    const found: (Change & { readonly sessionId: number })[] = []
    let isCut = false
    for (let from = 0; from < visitIds.length && found.length <= most; from += visitsAtOnce) {
      const visits = await listSnapshots(this.#deps.db, visitIds.slice(from, from + visitsAtOnce))
      const part = await this.#compare(machineId, visits, true)
      isCut ||= part.isCut
      for (const { visit, changes } of part.compared)
        for (const change of changes) {
          const { tagId, port, unit, place, at } = change
          const key = [visit.userId, tagId, port, unit, place, at].join('\n')
          if (!told.has(key)) found.push({ ...change, sessionId: visit.visitId })
          told.add(key)
        }
    }
    const shown = found.slice(0, most)
    const names = await this.#names(machineId, lang, shown)
    const changes = shown.map((change) => ({ ...names.change(change), sessionId: change.sessionId }))
    return { changes, isCut: isCut || found.length > most }
  }

  async #compare(machineId: number, visits: readonly Snapshot[], isReader: boolean) {
    if (visits.length === 0) return { compared: [], isCut: false }
    const { db, now } = this.#deps
    const untilOf = ({ settledAt }: Snapshot) => settledAt ?? new Date(now())
    const visitIds = visits.map(({ visitId }) => visitId)
    const from = new Date(Math.min(...visits.map(({ begunAt }) => begunAt.getTime())))
    const to = new Date(Math.max(...visits.map((visit) => untilOf(visit).getTime())))
    const [{ writings, isCut }, current] = await Promise.all([
      listMachineWritings(db, machineId, { from, to, visitIds }),
      // A machine that does not answer has no newer values than those its visits know.
      !isReader || visits.every(({ settledAt }) => settledAt !== null)
        ? new Map()
        : readValues(this.#deps, machineId).catch(() => new Map()),
    ])
    const compared = visits.map((visit) => {
      const [begun, until] = [visit.begunAt.getTime(), untilOf(visit).getTime()]
      const endedAt = visit.endedAt?.getTime() ?? until
      const isOwn = ({ userId, visitId, at }: PersonWrite) =>
        userId === visit.userId && (visitId === visit.visitId || at <= endedAt)
      const meanwhile = writings.filter(
        ({ at, visitId }) => visitId === visit.visitId || (at >= begun && at <= until),
      )
      const own = meanwhile.filter(isOwn)
      const others = meanwhile.flatMap((one) => (isOwn(one) || one.tagId === null ? [] : [one.tagId]))
      // A person whose right ended is not told the values of afterwards.
      const after: Values = isReader ? (visit.settledAt ? visit.after : current) : new Map()
      return { visit, ...compareVisit({ before: visit.before, after, own, others: new Set(others) }) }
    })
    return { compared, isCut }
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
      change({ tagId, port, unit, place, ways, from, to, at }: Change): contract.VisitChange {
        const mayPutBack = from !== null && to !== null && tags.get(tagId ?? 0)?.readOnly === false
        return { tagId, tag: nameOf(tagId), port, unit, place, ways: [...ways], from, to, at, mayPutBack }
      },
      drift: (drift: Drift): contract.VisitDrift => ({ ...drift, tag: nameOf(drift.tagId) }),
    }
  }
}
