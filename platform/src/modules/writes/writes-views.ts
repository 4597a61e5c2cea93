import type { visits as contract } from '@busbar/contract'
import type { WriteRow } from './writes-store.ts'

type LogValue = contract.WriteLogEntry['to']

export function presentWrite(row: WriteRow): contract.WriteLogEntry {
  return {
    id: row.id,
    at: row.at.getTime(),
    user: row.user_name ?? '',
    sessionId: row.visit_id,
    tagId: row.tag_id,
    tag: row.tag_label,
    from: row.from_value as LogValue,
    to: row.to_value as LogValue,
    state: row.state as contract.WriteLogEntry['state'],
    kept: row.kept_value as LogValue,
    reason: row.reason,
    note: row.note,
  }
}
