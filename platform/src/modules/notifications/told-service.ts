import { type alarmContacts, alarmLimits, type notifications as contract } from '@busbar/contract'
import type { Database } from '../../kernel/database/database.ts'
import { type AccessPort, type NameReader, seesName, seesNames } from '../access/index.ts'
import { listSteps } from './escalation-store.ts'
import { type PageRequest, pageOf, sliceOf } from './records-service.ts'
import * as store from './told-store.ts'

interface Deps {
  readonly lists: Database
  readonly access: Pick<AccessPort, 'list' | 'listColleagues'>
}

/** A person who asks, and when. */
type Reader = Omit<NameReader, 'colleagues'> & { readonly now: number }

const countMax = alarmLimits.sendRecordTotalMax
const minuteMs = 60_000
const numbered = { cn: (place: number) => `人员 ${place}`, en: (place: number) => `Person ${place}` }

/**
 * The people who were notified of an alarm, and those who were not; and the past and coming steps of its escalation. A
 * reader who may not see names gets a number for each person.
 */
export async function listTold({ lists, access }: Deps, reader: Reader, alarmId: number, at: PageRequest) {
  const [{ rows, total }, [run]] = await Promise.all([
    store.listTold(lists, alarmId, sliceOf(at), countMax + 1),
    store.listRuns(lists, [alarmId]),
  ])
  const steps = run && (await listSteps(lists, [run.machineId])).get(run.machineId)?.steps
  const machineId = rows[0]?.machine_id
  const own =
    machineId === undefined
      ? undefined
      : (await access.list(reader.userId, [machineId], reader.now)).get(machineId)
  const colleagues = await access.listColleagues(
    reader.userId,
    rows.map(({ user_id }) => user_id),
  )
  const list = rows.map(
    (row): contract.ToldRow => ({
      id: row.id,
      ...(seesName({ ...reader, colleagues }, seesNames(own), row.user_id)
        ? { who: row.contact_id === null ? `u${row.user_id}` : `c${row.contact_id}`, name: row.name }
        : { who: `n${row.place}`, name: numbered[reader.lang](row.place) }),
      createTime: row.created_at.getTime(),
      isContact: row.contact_id !== null,
      channel: row.channel,
      step: row.step,
      level: row.level,
      state: row.state,
      reason: row.reason as contract.ToldRow['reason'],
      isDigest: row.digest_id !== null || (row.state === 'waiting' && row.reason === 'digest'),
      settledAt: row.settled_at?.getTime() ?? null,
    }),
  )
  return { ...pageOf(list, total, at), escalation: run ? presentRun(run, steps ?? []) : null }
}

/** The last step of a run that was taken; 0 without one. */
const lastTold = ({ step, end }: store.ToldRun): number => (end === 'done' ? step : step - 1)

/** The steps of a run: those taken, and those set now. */
function presentRun(
  run: store.ToldRun,
  set: readonly alarmContacts.EscalationStep[],
): contract.ToldEscalation {
  const told = lastTold(run)
  const count = Math.max(told, set.length)
  let dueAt = run.dueAt.getTime()
  const steps = Array.from({ length: count }, (_, place): contract.ToldEscalation['steps'][number] => {
    const step = place + 1
    const own = set[place]
    const of = { step, who: own?.who ?? null, how: [...(own?.how ?? [])] }
    if (step <= told) return { ...of, state: 'told', dueAt: null }
    if (run.end !== null) return { ...of, state: 'dropped', dueAt: null }
    if (step === run.step) return { ...of, state: 'next', dueAt }
    dueAt += (own?.afterMinutes ?? 0) * minuteMs
    return { ...of, state: 'later', dueAt }
  })
  return { endedAt: run.endedAt?.getTime() ?? null, end: run.end, steps }
}

/** Number of people notified of each alarm, and the time of its next step. */
export async function countTold(
  { lists }: Pick<Deps, 'lists'>,
  alarmIds: readonly number[],
): Promise<contract.ToldCount[]> {
  const [counts, runs] = await Promise.all([
    store.countTold(lists, alarmIds),
    store.listRuns(lists, alarmIds),
  ])
  const next = new Map(runs.filter(({ end }) => end === null).map((run) => [run.alarmId, run]))
  return counts.map((row) => {
    const run = next.get(row.alarmId)
    return { ...row, nextStep: run?.step ?? null, nextAt: run?.dueAt.getTime() ?? null }
  })
}
