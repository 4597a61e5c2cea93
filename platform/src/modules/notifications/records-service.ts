import { alarmLimits, type notifications as contract, type Lang } from '@busbar/contract'
import type { Database } from '../../kernel/database/database.ts'
import { maskEmail, maskPhone } from '../../kernel/mask-account.ts'
import { type TagSource, textOf } from '../alarms/index.ts'
import * as store from './records-store.ts'

interface Deps {
  readonly lists: Database
  readonly tags: TagSource
}

export interface PageRequest {
  readonly page: number
  readonly pageSize: number
}

const countMax = alarmLimits.sendRecordTotalMax

export function sliceOf({ page, pageSize }: PageRequest): store.Slice {
  const offset = (page - 1) * pageSize
  const limit = Math.max(0, Math.min(pageSize, countMax - offset))
  return { offset: limit === 0 ? 0 : offset, limit }
}

export const pageOf = <Row>(list: Row[], total: number, { page, pageSize }: PageRequest) => ({
  list,
  total: Math.min(total, countMax),
  isCut: total > countMax,
  page,
  pageSize,
})

const readRecords = ({ lists }: Deps, request: store.RecordFilter, paging: PageRequest) =>
  store.listRecords(lists, request, sliceOf(paging), countMax + 1)

/** SMS about alarms with their outcome. */
export async function listSms(
  deps: Deps,
  request: Omit<store.RecordFilter, 'channel'>,
  lang: Lang,
  at: PageRequest,
) {
  const { rows, total } = await readRecords(deps, { ...request, channel: 'sms' }, at)
  const list = rows.map(
    (row): contract.SmsRecord => ({
      ...presentRecord(row),
      phoneMasked: maskPhone(row.phone),
      name: row.name,
      text: textOf(row, { lang }),
      segments: row.segments,
    }),
  )
  return pageOf(list, total, at)
}

/** E-mails about alarms with their outcome. */
export async function listEmails(
  deps: Deps,
  request: Omit<store.RecordFilter, 'channel'>,
  lang: Lang,
  at: PageRequest,
) {
  const { rows, total } = await readRecords(deps, { ...request, channel: 'email' }, at)
  const list = rows.map(
    (row): contract.EmailRecord => ({
      ...presentRecord(row),
      emailMasked: maskEmail(row.email),
      name: row.name,
      subject: textOf(row, { lang }),
    }),
  )
  return pageOf(list, total, at)
}

function presentRecord(row: store.RecordRow) {
  return {
    createTime: row.created_at.getTime(),
    machine: row.machine_name,
    machineId: row.machine_id,
    alarmId: row.alarm_id,
    level: row.level,
    state: row.state,
    reason: row.reason as contract.SmsRecord['reason'],
    digestCount: row.digest_count,
    settledAt: row.settled_at?.getTime() ?? null,
  }
}
