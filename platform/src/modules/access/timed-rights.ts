import { enterprises as contract } from '@busbar/contract'
import type { Kysely } from 'kysely'
import { withTransaction } from '../../kernel/database/database.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { NewFact } from '../../kernel/facts/fact-kinds.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import type { ClockJob } from '../../kernel/jobs/index.ts'
import { listCrew, listMaintainers, listVisitTimeEnds, listWindowTurns } from './timed-rights-store.ts'

const checkEveryS = 2

interface TimedRightsDeps {
  readonly db: Kysely<DB>
  readonly facts: Pick<Facts, 'recordAll'>
  now(): number
}

/**
 * Publishes rights that begin or end by time alone, like any change of rights: visit times that run out, maintenance
 * windows that open and close, so that pages show it. Open visits and watches do not wait for it: they have their own
 * timers (rules/access.md: timed rights).
 */
export class TimedRights {
  readonly #deps: TimedRightsDeps
  #toldUntil: number

  constructor(deps: TimedRightsDeps) {
    this.#deps = deps
    this.#toldUntil = deps.now()
  }

  /** Each run goes on where the last one of any process ended. */
  get jobs(): readonly ClockJob[] {
    return [
      {
        name: 'access.timedRights',
        everyS: checkEveryS,
        run: ({ previous, now }) => this.check(previous, now),
      },
    ]
  }

  /** Publishes the beginnings and ends since the last check, until an instant: the next check begins there. */
  async check(since = this.#toldUntil, now = this.#deps.now()): Promise<void> {
    const stretch = { from: new Date(since), to: new Date(now) }
    await withTransaction(this.#deps.db, async (trx) => {
      const told: NewFact[] = (await listVisitTimeEnds(trx, stretch)).map(({ until, ...grant }) => {
        return { kind: 'grant.ranOut', at: until?.getTime() ?? now, ...grant }
      })
      const machinesOf = new Map<number, Set<number>>()
      for (const { startAt, stopAt, ...window } of await listWindowTurns(trx, stretch)) {
        const { enterpriseId, machineId } = window
        const machineIds = machinesOf.get(enterpriseId) ?? new Set()
        machinesOf.set(enterpriseId, machineIds.add(machineId))
        told.push({
          kind: stopAt && stopAt <= stretch.to ? 'maintenance.ranOut' : 'maintenance.began',
          ...{ at: now, ...window, from: startAt.getTime(), until: stopAt?.getTime() ?? contract.noEnd },
          crew: await listCrew(trx, enterpriseId, machineId),
        })
      }
      for (const [enterpriseId, machineIds] of machinesOf) {
        const maintainers = await listMaintainers(trx, [enterpriseId])
        const turned = { enterpriseId, machineIds: [...machineIds], maintainers }
        told.push({ kind: 'maintenance.turned', at: now, ...turned })
      }
      await this.#deps.facts.recordAll(trx, told)
    })
    this.#toldUntil = now
  }
}
