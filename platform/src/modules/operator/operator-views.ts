import type { operator as contract } from '@busbar/contract'
import type { EntryRow } from '../audit/index.ts'
import type * as store from './operator-store.ts'
import type { MachineRow } from './register-store.ts'

type ShownState = contract.UserRow['state']

/** A person as operators see them. */
export function presentUser(row: store.UserRow): contract.UserRow {
  return {
    userId: row.id,
    name: row.name,
    phone: row.phone ? `+${row.country_code} ${row.phone}` : '',
    email: row.email ?? '',
    state: row.state as ShownState,
    isOperator: row.is_operator,
    machines: row.machines,
    enterprises: row.enterprises,
    createdAt: row.created_at.getTime(),
    lastSeenAt: row.last_seen_at?.getTime() ?? null,
  }
}

export function presentEnterprise(row: store.EnterpriseRow): contract.EnterpriseRow {
  return {
    eid: row.id,
    name: row.name,
    owner: row.owner,
    members: row.members,
    machines: row.machines,
    enableProject: row.enable_project,
    state: row.state as ShownState,
    createdAt: row.created_at.getTime(),
  }
}

export function presentMachine(row: MachineRow, online: boolean): contract.MachineRow {
  return {
    machineId: row.id,
    machineCode: row.code,
    name: row.name,
    type: row.type,
    model: row.model,
    ownerKind: row.person !== null ? 'person' : row.enterprise !== null ? 'enterprise' : 'none',
    owner: row.person ?? row.enterprise ?? '',
    online,
    lastSeenAt: row.last_seen_at?.getTime() ?? null,
    createdAt: row.created_at.getTime(),
  }
}

export function presentOutgoing(row: store.OutgoingRow): contract.OutgoingRow {
  return {
    id: row.id,
    kind: row.kind === 'sms' ? 'sms' : 'email',
    to: row.country_code === null ? row.recipient : `+${row.country_code} ${row.recipient}`,
    subject: row.subject,
    // A code that was sent is shown to nobody but its receiver.
    text: row.state === 'kept' ? row.text : '',
    state: row.state,
    error: row.error,
    at: row.created_at.getTime(),
  }
}

export function presentAudit(row: EntryRow, targetName: string): contract.AuditRow {
  return {
    id: row.id,
    at: row.at.getTime(),
    actor: row.actor ?? '',
    actorUserId: row.actor_user_id,
    action: row.action,
    target: row.target,
    targetName,
    ip: row.address,
    terminal: row.terminal,
    result: row.result === 'refused' ? 'refused' : 'ok',
    detail: row.detail as Record<string, unknown>,
    sealed: row.batch_id !== null,
  }
}
