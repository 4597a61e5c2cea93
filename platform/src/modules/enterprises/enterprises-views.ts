import { type AnswerOf, enterprises as contract, type MemberRight } from '@busbar/contract'
import { maskEmail, maskPhone } from '../../kernel/mask-account.ts'
import type { InvitationRow, SentInvitationRow } from './invitations-store.ts'
import type { WindowRow } from './maintenance-store.ts'
import type { MemberRow, TeamPersonRow } from './members-store.ts'
import { rightsOf } from './space-rules.ts'
import type { getSpace } from './spaces-store.ts'
import type { TeamRow } from './teams-store.ts'

const maskAccount = (person: { phone: string | null; email: string | null }): string =>
  maskPhone(person.phone) || maskEmail(person.email)

const roleOf = (row: { role: string }) => row.role as contract.EnterpriseRole
const rightsIn = (row: { rights: string[] }) => row.rights as MemberRight[]

export function presentSpace(
  row: Awaited<ReturnType<typeof getSpace>>,
): AnswerOf<typeof contract.getEnterprise> {
  return {
    eid: row.id,
    name: row.name,
    enableProject: row.enable_project,
    platformName: row.platform_name,
    applyLogoUrl: row.logo_url,
    members: row.members,
    machines: row.machines,
    created: row.created_at.getTime(),
    timeZone: row.time_zone,
    awayRules: row.has_away_rules,
  }
}

/** A member's last time online is shown to administrators only. */
export function presentMember(row: MemberRow, toAdmin: boolean): contract.Member {
  return {
    userId: row.id,
    name: row.name,
    accountMasked: maskAccount(row),
    role: row.role,
    rights: rightsOf(row),
    lastSeen: toAdmin ? (row.last_seen_at?.getTime() ?? null) : null,
    leaving: row.leaves_at !== null,
  }
}

export function presentInvitation(row: InvitationRow): contract.Invitation {
  return {
    id: row.id,
    eid: row.enterprise_id,
    enterprise: row.enterprise,
    invitedBy: row.invited_by,
    role: roleOf(row),
    rights: rightsIn(row),
    at: row.created_at.getTime(),
  }
}

export function presentSentInvitation(row: SentInvitationRow) {
  return {
    id: row.id,
    name: row.name,
    accountMasked: maskAccount(row),
    role: roleOf(row),
    rights: rightsIn(row),
    invitedBy: row.invited_by,
    at: row.created_at.getTime(),
  }
}

export function presentTeamPerson(row: TeamPersonRow) {
  return { userId: row.id, name: row.name, phoneMasked: maskPhone(row.phone), role: roleOf(row) }
}

export function presentTeam(row: TeamRow): contract.Team {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    members: row.members.map(({ phone, ...person }) => ({ ...person, phoneMasked: maskPhone(phone) })),
    machines: row.machines,
  }
}

/**
 * Only the Akey may answer it; the requesting enterprise does not see the machine's name before the owner's consent.
 */
export function presentWindow(row: WindowRow, to: 'akey' | 'enterprise'): contract.MaintenanceWindow {
  const state = row.state as contract.MaintenanceState
  const isLetIn = state === 'accepted' || state === 'suspended'
  return {
    id: row.id,
    eid: row.enterprise_id,
    enterprise: row.enterprise,
    machineId: row.machine_id,
    machineCode: row.code,
    machineName: to === 'akey' || isLetIn ? row.name : '',
    start: row.start_at.getTime(),
    stop: row.stop_at?.getTime() ?? contract.noEnd,
    scopes: row.scopes as contract.MaintenanceScope[],
    reason: row.reason,
    state,
    requestedBy: row.requested_by ?? '',
    at: row.created_at.getTime(),
    mayAnswer: to === 'akey',
  }
}
