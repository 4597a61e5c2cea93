import { type AnswerOf, access as contract } from '@busbar/contract'
import { maskEmail, maskPhone } from '../../kernel/mask-account.ts'
import type { PairAccess } from './access-port.ts'
import type { Access } from './access-rules.ts'
import type { BlacklistedRow, HolderRow } from './holders-store.ts'
import { presentVisitTime } from './visit-time.ts'

const presentPerson = (person: { name: string; phone: string | null; email: string | null }) => ({
  name: person.name,
  phone: maskPhone(person.phone),
  email: maskEmail(person.email),
})

const modeOf = (readOnly: boolean): contract.VisitMode => (readOnly ? 'ro' : 'rw')

/** A Bkey's e-mail is complete for readers who may know it by the Bkey's own act; a visitor's never is. */
export function presentBkey(row: HolderRow): contract.Bkey {
  return {
    id: row.id,
    userId: row.user_id,
    ...presentPerson(row),
    email: row.is_known ? (row.email ?? '') : maskEmail(row.email),
    limit_authority: 2,
    machine_id: row.machine_id,
    check_type: row.check_type,
    limitRead: row.read_only ? 1 : 0,
    limitAlarm: row.alarms ? 1 : 0,
    leaving: row.leaves_at !== null,
  }
}

export function presentVisitor(row: HolderRow, now: number): contract.Visitor {
  return {
    id: row.id,
    userId: row.user_id,
    ...presentPerson(row),
    visitTime: presentVisitTime(row.until, now),
    visitTimeId: row.id,
    limitRead: row.read_only ? 1 : 0,
    limitAlarm: row.alarms ? 1 : 0,
    mode: modeOf(row.read_only),
    leaving: row.leaves_at !== null,
  }
}

export function presentBlacklisted(row: BlacklistedRow): contract.Blacklisted {
  return { id: row.user_id, userId: row.user_id, ...presentPerson(row), since: row.created_at.getTime() }
}

/** A person who can enter now; undefined for others. */
export function presentReach(
  { userId, access }: PairAccess,
  person: Parameters<typeof presentPerson>[0] | undefined,
): contract.Reach | undefined {
  const { by } = access
  if (!person || !by || !access.rights.has('visitor+')) return undefined
  return {
    userId,
    ...presentPerson(person),
    by,
    mode: modeOf(access.readOnly),
    until: access.endsAt ?? contract.visitTimes.forever,
  }
}

/** The caller's role at a machine. */
export function presentRole(access: Access): AnswerOf<typeof contract.getRole> {
  const { role, level, readOnly, alarms, endsAt } = access
  const { forever, over } = contract.visitTimes
  return {
    role,
    limit_authority: level,
    readOnly,
    alarm: alarms,
    visitTime: level === 0 ? over : (endsAt ?? forever),
  }
}
