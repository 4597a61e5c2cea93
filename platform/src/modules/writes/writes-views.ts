import type { AnswerOf, visits as contract, telemetry } from '@busbar/contract'
import type { findWrite, WriteRow } from './writes-store.ts'

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

type OutcomeRow = NonNullable<Awaited<ReturnType<typeof findWrite>>>

export function presentOutcome(row: OutcomeRow): AnswerOf<typeof telemetry.getWrite> {
  return {
    commandId: row.id,
    tagId: row.tag_id,
    state: row.state as telemetry.WriteState,
    kept: row.kept_value as LogValue,
    reason: row.reason,
  }
}
