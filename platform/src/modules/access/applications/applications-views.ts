import { type AnswerOf, access, applications as contract, isAuditOpen } from '@busbar/contract'
import { maskEmail, maskPhone } from '../../../kernel/mask-account.ts'
import { presentVisitTime } from '../index.ts'
import { type Key, mayAnswer, stateAt } from './application-rules.ts'
import type { MachineApplicationRow, StepRow, VisitTimeRow } from './applications-lists-store.ts'

const { auditStates } = contract

/** An application as a key sees it. */
export function presentApplication(
  row: MachineApplicationRow,
  viewer: { readonly key: Key; readonly hasBkeys: boolean; readonly now: number },
): contract.Application {
  const kind = row.kind as contract.ApplicationKind
  const state = stateAt({ state: row.state, expiresAt: row.expires_at }, viewer.now)
  const situation = { kind, state, checkType: row.check_type, hasBkeys: viewer.hasBkeys }
  const endedAt = row.ended_at ?? (isAuditOpen(state) ? null : row.expires_at)
  return {
    applyId: row.id,
    kind,
    userId: row.user_id,
    name: row.name,
    phone: maskPhone(row.phone),
    email: maskEmail(row.email),
    proposedBy: row.proposer ?? '',
    message: row.message,
    remarks: row.remarks,
    terminalName: row.terminal_name,
    wish: row.wish as access.VisitMode,
    auditState: state,
    createdAt: row.created_at.getTime(),
    expireAt: row.expires_at.getTime(),
    endedAt: endedAt?.getTime() ?? null,
    mayAnswer: mayAnswer(situation, viewer.key),
  }
}

/** A step; readers without a key get the first character of other people's names. */
export function presentStep(
  row: StepRow,
  viewer: { userId: number; isKey: boolean },
): contract.ApplicationStepRow {
  const isTold = viewer.isKey || row.user_id === viewer.userId
  return {
    applyId: row.application_id,
    kind: row.kind as contract.ApplicationKind,
    step: row.step as contract.ApplicationStep,
    key: (row.key ?? '') as contract.ApplicationStepRow['key'],
    byMasked: isTold ? (row.name ?? '') : maskName(row.name),
    state: row.state as contract.AuditState,
    at: row.at.getTime(),
  }
}

function maskName(name: string | null): string {
  const [first] = new Intl.Segmenter().segment(name ?? '')
  return first ? `${first.segment}**` : ''
}

type VisitTime = AnswerOf<typeof contract.listVisitTimes>['list'][number]

export function presentVisitTimeRow(row: VisitTimeRow, now: number): VisitTime {
  const visitTime = row.grant_id === null ? access.visitTimes.over : presentVisitTime(row.until, now)
  return {
    id: row.grant_id ?? row.application_id ?? 0,
    userId: row.user_id,
    name: row.name,
    phone: maskPhone(row.phone),
    email: maskEmail(row.email),
    visitTime,
    visitTimeId: row.grant_id,
    status: statusOf(row, visitTime, now),
  }
}

function statusOf(row: VisitTimeRow, visitTime: number, now: number): contract.VisitStatus {
  if (visitTime !== access.visitTimes.over) return 'approved'
  if (row.state === null || row.expires_at === null) return 'expired'
  const state = stateAt({ state: row.state, expiresAt: row.expires_at }, now)
  if (isAuditOpen(state)) return 'waiting'
  return state === auditStates.refusedByAkey || state === auditStates.refusedByBkey ? 'refused' : 'expired'
}
