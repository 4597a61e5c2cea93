import {
  type AnswerOf,
  access,
  applications,
  type messages as contract,
  enterprises,
  isAuditOpen,
  type Lang,
} from '@busbar/contract'
import { maskPhone } from '../../kernel/mask-account.ts'
import { messageKinds } from './message-kinds.ts'
import { formatMessage } from './message-text.ts'
import type { TextFacts } from './message-texts.ts'
import type { MessageRow } from './messages-list-store.ts'

/** The reader of a message, their language, and the instant. */
export interface Reading {
  readonly userId: number
  readonly lang: Lang
  /** Epoch milliseconds. */
  readonly now: number
  /** Applications that wait for the reader's answer. */
  readonly answerable: ReadonlySet<number>
}

/** A message as its reader gets it: the application's state is that of this moment. */
export function presentMessage(row: MessageRow, reading: Reading): contract.Message {
  const { type, isResult } = messageKinds[row.kind]
  const { machine_id: machineId, machine_code: machineCode } = row
  return {
    id: row.id,
    type,
    ...formatMessage(row.kind, textFactsOf(row, reading), reading.lang),
    machine:
      machineId === null || machineCode === null ? null : { machineId, machineCode, name: nameOf(row) },
    applyId: row.application_id,
    transferId: row.transfer_id,
    invitationId: row.invitation_id,
    handoverId: row.handover_id,
    contactId: row.kind === 'reportRequest' ? (row.params.contactId ?? null) : null,
    alarmId: row.params.alarm?.id ?? null,
    boardId: row.params.boardId ?? null,
    projectId: row.params.projectId ?? null,
    auditState: auditStateOf(row, reading.now),
    isResult,
    mayAnswer: mayAnswer(row, reading),
    outcome: outcomeOf(row, reading.now),
    read: row.read_at !== null,
    created_at: row.created_at.getTime(),
  }
}

/** The application of a message, as both sides may see it; null without one. */
export function presentApplication(row: MessageRow): AnswerOf<typeof contract.getMessage>['application'] {
  const { application_id: applyId, application_kind: kind, application_expires_at: expiresAt } = row
  if (applyId === null || kind === null || expiresAt === null) return null
  return {
    applyId,
    kind,
    person: row.applicant ?? '',
    phone: maskPhone(row.applicant_phone),
    message: row.note ?? '',
    remarks: row.remarks ?? '',
    terminalName: row.terminal_name ?? '',
    wish: row.wish ?? 'ro',
    expireAt: expiresAt.getTime(),
  }
}

const nameOf = (row: MessageRow): string => row.machine_name || (row.machine_code ?? '')

/** Without an answer in time it is over, even before the row says so. */
function auditStateOf(row: MessageRow, now: number): number | null {
  const { application_state: state, application_expires_at: expiresAt } = row
  if (state === null || expiresAt === null) return null
  return isAuditOpen(state) && expiresAt.getTime() <= now ? applications.auditStates.over : state
}

const outcomes: Readonly<Record<string, contract.MessageOutcome>> = {
  accepted: 'accepted',
  refused: 'refused',
  declined: 'refused',
  confirmed: 'accepted',
  left: 'refused',
  withdrawn: 'withdrawn',
  expired: 'expired',
}

/** Without an answer in time it is over, even before the row says so. */
function outcomeOf(row: MessageRow, now: number): contract.MessageOutcome | null {
  const state =
    row.transfer_state ??
    row.invitation_state ??
    row.handover_state ??
    row.contact_state ??
    row.project_state ??
    ''
  const expiresAt = row.transfer_expires_at ?? row.handover_expires_at
  const isLate = expiresAt !== null && expiresAt.getTime() <= now
  if (isLate && (state === 'waiting' || state === 'asked')) return 'expired'
  return outcomes[state] ?? null
}

/** Whether the reader has to answer a message. */
export function mayAnswer(row: MessageRow, { userId, now, answerable }: Reading): boolean {
  if (messageKinds[row.kind].isResult) return false
  if (row.kind === 'windowAsked') {
    const { until = 0 } = row.params
    return row.answers_window && (until === enterprises.noEnd || until > now)
  }
  if (row.application_id !== null) return answerable.has(row.application_id)
  if (row.kind === 'reportRequest') return row.contact_state === 'asked'
  if (row.kind === 'projectInvited') return row.project_state === 'asked'
  if (row.invitation_id !== null) return row.invitation_state === 'waiting'
  if (row.handover_id !== null) return row.answers_handover && (row.handover_expires_at?.getTime() ?? 0) > now
  return (
    row.transfer_state === 'waiting' &&
    (row.to_id === userId || row.manages_receiver) &&
    (row.transfer_expires_at?.getTime() ?? 0) > now
  )
}

function textFactsOf(row: MessageRow, { userId, now }: Reading): TextFacts {
  return {
    enterprise: '',
    receiver: '',
    board: '',
    project: '',
    target: '',
    targetState: 'failing',
    role: 'member',
    right: 'visitor',
    from: 0,
    until: access.visitTimes.over,
    isBlacklisted: false,
    answer: 'refused',
    reason: '',
    count: 0,
    contactId: 0,
    boardId: 0,
    projectId: 0,
    percent: 0,
    max: 0,
    refused: [],
    tags: [],
    alarm: { id: 0, level: 'info', text: { cn: '', en: '' } },
    mode: row.wish ?? 'ro',
    person: personOf(row, userId),
    ...row.params,
    machine: nameOf(row),
    proposer: row.proposer ?? '',
    reader: readerOf(row, userId),
    note: row.note ?? '',
    auditState: auditStateOf(row, now) ?? applications.auditStates.over,
    transferState: row.transfer_state ?? '',
    giver: row.giver ?? '',
  }
}

/** The person of a message that does not name one; of a proposal, the proposer. */
function personOf(row: MessageRow, userId: number): string {
  const tells: readonly string[] = messageKinds[row.kind].params
  if (tells.includes('person')) return row.proposer ?? ''
  return row.applicant ?? (row.from_id === userId ? row.to_name : row.from_name) ?? ''
}

function readerOf(row: MessageRow, userId: number): TextFacts['reader'] {
  if (row.applicant_id === userId) return 'applicant'
  return row.proposer_id === userId ? 'proposer' : 'key'
}
