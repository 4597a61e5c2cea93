import { type AnswerOf, type operator as contract, limits } from '@busbar/contract'
import type { MachinePresence } from '../../edge-link/edge-link.ts'
import type { Storage } from '../spaces/index.ts'
import { presentEnterprise, presentMachine, presentUser } from './operator-views.ts'
import type * as store from './subjects-store.ts'

/** A person with their settings; of the second factor only whether there is one. */
export function presentFoundUser(row: store.FoundUser, storage: Storage): AnswerOf<typeof contract.getUser> {
  return {
    ...presentUser(row),
    lang: row.lang,
    timeZone: row.time_zone,
    twoFactor: row.two_factor,
    loginExpiryDays: row.login_expiry_days,
    storage,
    leavesAt: row.leaves_at?.getTime() ?? null,
  }
}

export function presentSession(row: store.SessionRow): contract.SessionRow {
  return {
    id: row.id,
    terminal: row.terminal_name,
    terminalType: row.terminal_type,
    ip: row.address,
    createdAt: row.created_at.getTime(),
    lastSeenAt: row.last_seen_at.getTime(),
    expiresAt: row.expires_at.getTime(),
  }
}

interface Right {
  readonly role: string
  readonly until: Date | null
  readonly read_only: boolean
}

const presentRight = ({ role, until, read_only }: Right) => ({
  role: role as contract.MachineRole,
  until: until?.getTime() ?? null,
  readOnly: read_only,
})

export function presentHeld(row: store.HeldRow, online: boolean): contract.HeldMachine {
  return { ...presentMachine(row, online), ...presentRight(row) }
}

export function presentMembership(row: store.MembershipRow): contract.Membership {
  return { eid: row.id, name: row.name, role: row.role, joinedAt: row.joined_at.getTime() }
}

/** A machine with its connection: from its holder, else the last stored one. */
export function presentFoundMachine(
  row: store.FoundMachine,
  presence: MachinePresence | undefined,
  valuesMax: number,
): AnswerOf<typeof contract.getMachine> {
  const held = presence?.connection
  const last = row.connection
  return {
    ...presentMachine(row, presence?.online === true),
    ownerUserId: row.owner_user_id,
    ownerEid: row.owner_enterprise_id,
    ownedSince: row.owned_since?.getTime() ?? null,
    cloudService: row.cloud_service,
    checkType: row.check_type,
    timeZone: row.time_zone,
    clockOffsetMs: row.clock_offset_ms,
    bkeys: row.bkeys,
    visitors: row.visitors,
    connection: held
      ? { protocol: held.protocol, address: held.address, startedAt: held.startedAt, endedAt: null }
      : last
        ? {
            protocol: last.protocol,
            address: last.address,
            startedAt: last.started_at.getTime(),
            endedAt: (last.ended_at ?? last.last_seen_at).getTime(),
          }
        : null,
    limits: { values: valuesMax, tags: limits.tagsPerMachine },
  }
}

export function presentHolder(row: store.HolderRow): contract.HolderRow {
  return { userId: row.id, name: row.name, ...presentRight(row), since: row.since?.getTime() ?? null }
}

export function presentFoundEnterprise(
  row: store.FoundEnterprise,
  storage: Storage,
): AnswerOf<typeof contract.getEnterprise> {
  return {
    ...presentEnterprise(row),
    ownerUserId: row.owner_user_id,
    timeZone: row.time_zone,
    platformName: row.platform_name,
    storage,
    leavesAt: row.leaves_at?.getTime() ?? null,
  }
}

export function presentMember(row: store.MemberRow): contract.MemberRow {
  return { userId: row.id, name: row.name, role: row.role, joinedAt: row.joined_at.getTime() }
}

export function presentDevice(row: store.DeviceRow, online: boolean): contract.EnterpriseMachine {
  return { ...presentMachine(row, online), kind: row.kind }
}

export function presentVisit(row: store.VisitRow): contract.VisitRow {
  return {
    id: row.id,
    userId: row.user_id,
    user: row.user,
    machineId: row.machine_id,
    machine: row.machine || row.code,
    target: row.target,
    mode: row.was_rw ? 'rw' : 'ro',
    startedAt: row.started_at.getTime(),
    endedAt: row.ended_at?.getTime() ?? null,
    reason: row.end_reason as contract.VisitRow['reason'],
  }
}
