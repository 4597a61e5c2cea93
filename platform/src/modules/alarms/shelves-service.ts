import { alarmLimits } from '@busbar/contract'
import { sql } from 'kysely'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { AlarmFacts } from './alarm-facts.ts'
import * as store from './shelves-store.ts'
import type { TagSource } from './tag-names.ts'

const dayMs = 86_400_000

export interface ShelvesDeps {
  readonly db: Database
  readonly facts: AlarmFacts
  readonly tags: TagSource
  /** The machine of a rule that raises alarms, whether it ever raised one or not; undefined for an unknown rule. */
  findRuleMachine(ruleId: number): Promise<number | undefined>
}

/** A person's request to shelve: at most one of the ids, or the whole machine. */
export interface ShelveRequest {
  readonly machineId: number
  readonly alarmId?: number | undefined
  readonly ruleId?: number | undefined
  readonly tagId?: number | undefined
  /** Epoch milliseconds; undefined: out of service, until a person ends it. */
  readonly until?: number | undefined
  readonly reason: string
}

/**
 * Shelves alarms, or takes them out of service; answers the id.
 * @throws Failure SHELVE_SCOPE, SHELVE_SPAN, SHELVES_FULL, or 404 for an id that does not belong to the machine
 * See rules/alarms.md: shelving.
 */
export async function shelve(
  deps: ShelvesDeps,
  request: ShelveRequest,
  by: { readonly userId: number; readonly now: number },
): Promise<number> {
  const { db, facts } = deps
  const { machineId, alarmId, until, reason } = request
  if (until !== undefined && (until <= by.now || until > by.now + alarmLimits.shelveDaysMax * dayMs))
    throw new Failure('SHELVE_SPAN')
  const at = new Date(by.now)
  const covered = await coveredBy(deps, request)
  return withTransaction(db, async (trx) => {
    if ((await store.lockShelves(trx, machineId, at)) >= alarmLimits.shelvesPerMachine)
      throw new Failure('SHELVES_FULL')
    const changes = await store.createShelve(trx, {
      machineId,
      ...covered,
      kind: until === undefined ? 'outOfService' : 'shelved',
      until: until === undefined ? undefined : new Date(until),
      reason,
      userId: by.userId,
      at,
      alarmId,
    })
    await facts.recordAll(trx, changes)
    return changes.at(-1)?.shelveId ?? 0
  })
}

async function coveredBy(
  { db, tags, findRuleMachine }: ShelvesDeps,
  request: ShelveRequest,
): Promise<store.Covered> {
  const { machineId, alarmId, ruleId, tagId } = request
  if ([alarmId, ruleId, tagId].filter((id) => id !== undefined).length > 1) throw new Failure('SHELVE_SCOPE')
  if (alarmId !== undefined) {
    const alarm = await store.findAlarmKey(db, machineId, alarmId)
    if (!alarm) throw new Failure('404')
    return alarm.rule_id === null
      ? { scope: 'alarm', key: alarm.key }
      : { scope: 'rule', ruleId: alarm.rule_id }
  }
  if (ruleId !== undefined) {
    if ((await findRuleMachine(ruleId)) !== machineId) throw new Failure('404')
    return { scope: 'rule', ruleId }
  }
  if (tagId !== undefined) {
    const tag = (await tags.listTagNames([tagId])).get(tagId)
    if (tag?.machineId !== machineId) throw new Failure('404')
    return { scope: 'tag', tagId }
  }
  return { scope: 'machine' }
}

/** Ends a shelving, or returns alarms to service; one that ended before stays as it is. */
export async function endShelve(
  { db, facts }: Pick<ShelvesDeps, 'db' | 'facts'>,
  shelveId: number,
  by: { readonly userId: number; readonly now: number },
): Promise<void> {
  const at = new Date(by.now)
  await withTransaction(db, async (trx) => {
    // Its time may be over while nothing has ended it yet.
    await endDue(trx, facts, at, shelveId)
    const changes = await store.endShelves(trx, sql`id = ${shelveId}`, {
      at,
      reason: 'person',
      userId: by.userId,
    })
    await facts.recordAll(trx, changes)
  })
}

/** Ends shelvings whose time is over, at that time, and answers how many. */
export async function endDueShelves(
  { db, facts }: Pick<ShelvesDeps, 'db' | 'facts'>,
  now: number,
): Promise<number> {
  return withTransaction(db, (trx) => endDue(trx, facts, new Date(now)))
}

async function endDue(trx: Database, facts: AlarmFacts, at: Date, shelveId?: number): Promise<number> {
  const isNamed = shelveId === undefined ? sql`` : sql`and id = ${shelveId}`
  const changes = await store.endShelves(trx, sql`until <= ${at}::timestamptz ${isNamed}`, {
    at,
    reason: 'time',
  })
  await facts.recordAll(trx, changes)
  return changes.length
}
