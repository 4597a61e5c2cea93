import { alarmLimits, alarms as contract } from '@busbar/contract'
import { withTransaction } from '../../kernel/database/database.ts'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { type AccessPort, maySet } from '../access/index.ts'
import { confirmAlarms } from './alarms-store.ts'
import { listAlarmsWithMachines } from './alarms-views.ts'
import { type ShelvesDeps, shelve } from './shelves-service.ts'

interface Deps extends ShelvesDeps {
  readonly access: Pick<AccessPort, 'list'>
}

interface Caller {
  readonly userId: number
  readonly now: number
}

type Done = ReturnType<(typeof contract.confirmManyAlarms.answer)['parse']>['list'][number]
type Own = Awaited<ReturnType<AccessPort['list']>> extends ReadonlyMap<number, infer A> ? A : never

const dayMs = 86_400_000
const refusedOf = (id: number, code: string): Done => ({ id, result: 'refused', code })
const doneOf = (id: number, isNew: boolean): Done => ({ id, result: isNew ? 'done' : 'already', code: '' })

/** Acts on many alarms at once: one that is refused keeps no other from being done. */
export function bulkRoutes(deps: Deps): Binding[] {
  return [
    bind(contract.confirmManyAlarms, async ({ ids, repeats, note }, { user, now }) => {
      const may = (own: Own) => own.rights.has('holder') || own.handlesAlarms
      const { allowed, codes } = await sortOut(deps, ids, may, { userId: user.userId, now })
      const by = { who: { userId: user.userId }, at: new Date(now), note }
      const changes = await withTransaction(deps.db, async (trx) => {
        const confirmed = await confirmAlarms(trx, { ids: [...allowed.keys()], repeats }, by)
        await deps.facts.recordAll(trx, confirmed)
        return new Set(confirmed.map(({ alarmId }) => alarmId))
      })
      const list = ids.map((id) => (allowed.has(id) ? doneOf(id, changes.has(id)) : refusedOf(id, codes(id))))
      return { list }
    }),

    bind(contract.shelveManyAlarms, async ({ ids, until, reason }, { user, now }) => {
      if (until !== undefined && (until <= now || until > now + alarmLimits.shelveDaysMax * dayMs))
        throw new Failure('SHELVE_SPAN')
      const may = (own: Own) => maySet(own, 'alarm')
      const caller = { userId: user.userId, now }
      const { allowed, codes } = await sortOut(deps, ids, may, caller)
      const done = new Map<string, Done>()
      const list: Done[] = []
      for (const id of ids) {
        const alarm = allowed.get(id)
        if (!alarm) {
          list.push(refusedOf(id, codes(id)))
          continue
        }
        // One shelving covers every alarm of its name or rule.
        const covered = `${alarm.machineId}/${alarm.ruleId ?? ''}/${alarm.ruleId === null ? alarm.key : ''}`
        const before = done.get(covered)
        const own =
          before?.result === 'done'
            ? doneOf(id, false)
            : await shelveOne(deps, id, alarm, { until, reason }, caller)
        done.set(covered, before ?? own)
        list.push(own)
      }
      return { list }
    }),
  ]
}

type Found = Awaited<ReturnType<typeof listAlarmsWithMachines>>[number]

/** The alarms that the caller may act on, and for each other one the code of its refusal. */
async function sortOut(
  { db, access }: Deps,
  ids: readonly number[],
  may: (own: Own) => boolean,
  { userId, now }: Caller,
): Promise<{ allowed: Map<number, Found>; codes: (id: number) => '403' | '404' }> {
  const found = await listAlarmsWithMachines(db, ids)
  const rights = await access.list(userId, [...new Set(found.map(({ machineId }) => machineId))], now)
  const isKnown = ({ machineId }: Found) => {
    const own = rights.get(machineId)
    return own !== undefined && (own.rights.has('holder') || own.handlesAlarms)
  }
  const known = found.filter(isKnown)
  const allowed = known.filter(({ machineId }) => {
    const own = rights.get(machineId)
    return own !== undefined && may(own)
  })
  const seen = new Set(known.map(({ id }) => id))
  return {
    allowed: new Map(allowed.map((alarm) => [alarm.id, alarm])),
    codes: (id) => (seen.has(id) ? '403' : '404'),
  }
}

async function shelveOne(
  deps: Deps,
  id: number,
  { machineId }: Found,
  request: { readonly until: number | undefined; readonly reason: string },
  caller: Caller,
): Promise<Done> {
  try {
    await shelve(deps, { machineId, alarmId: id, ...request }, caller)
    return doneOf(id, true)
  } catch (error) {
    if (error instanceof Failure) return refusedOf(id, error.code)
    throw error
  }
}
