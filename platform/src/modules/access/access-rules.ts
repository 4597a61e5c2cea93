import { type access, demoMachineCode, type ErrorCode, type MachineRight, machines } from '@busbar/contract'

/** What the database knows about one user and one machine. */
export interface AccessFacts {
  readonly machineCode: string
  readonly cloudService: boolean
  readonly isOwner: boolean
  readonly isListed: boolean
  readonly isBlacklisted: boolean
  readonly grant: AccessGrant | undefined
}

/** A Bkey's or visitor's right, with its two bits (decision 21). */
export interface AccessGrant {
  readonly id: number
  readonly role: 'bkey' | 'visitor'
  /** Null: for ever. */
  readonly until: Date | null
  readonly readOnly: boolean
  readonly alarms: boolean
}

/** What a user may do to a machine now. */
export interface Access {
  /** limit_authority of decision 21: 0 ordinary, 1 visitor with valid time, 2 Bkey, 3 Akey. */
  readonly level: 0 | 1 | 2 | 3
  readonly role: access.Role
  readonly readOnly: boolean
  readonly rights: ReadonlySet<MachineRight>
  /** When the visit time that these rights rest on ends; epoch milliseconds. */
  readonly endsAt: number | undefined
}

const { limitAuthority } = machines

/**
 * The one function that says what a user may do to a machine now (decision 21): the least of role, grant,
 * read-only bit, cloud switch, visit time and blacklist. Every call, socket frame and stream asks it.
 */
export function decideAccess(facts: AccessFacts, now: number, demo: boolean): Access {
  const level = levelOf(facts, now, demo)
  const rights = new Set<MachineRight>()
  if (facts.isListed || facts.isOwner) rights.add('listed')
  if (level >= limitAuthority.visitor) rights.add('holder')
  if (level >= limitAuthority.visitor && facts.cloudService) rights.add('visitor+')
  if (level >= limitAuthority.bkey) rights.add('bkey+')
  if (level >= limitAuthority.akey) rights.add('akey')
  return {
    level,
    role: roleOf(facts, level),
    readOnly: !facts.isOwner && (facts.grant?.readOnly ?? false),
    rights,
    endsAt: level === limitAuthority.visitor ? facts.grant?.until?.getTime() : undefined,
  }
}

/** Why a user may not enter a machine now, in decision 31's words. */
export function whyNotEnter(facts: AccessFacts, now: number, demo: boolean): ErrorCode {
  const { role, level } = decideAccess(facts, now, demo)
  if (role === 'blacklisted') return 'BLACKLIST'
  if (level > limitAuthority.ordinary) return facts.cloudService ? 'WRONG_ROLE' : 'CLOUD_EXPIRED'
  return facts.grant ? 'REST_TIME_OUT' : 'GENERAL_USER'
}

function roleOf(facts: AccessFacts, level: Access['level']): access.Role {
  if (facts.isBlacklisted && !facts.isOwner) return 'blacklisted'
  if (level === limitAuthority.akey) return 'akey'
  if (level === limitAuthority.bkey) return 'bkey'
  return level === limitAuthority.visitor ? 'visitor' : 'ordinary'
}

function levelOf(facts: AccessFacts, now: number, demo: boolean): Access['level'] {
  if (facts.isOwner) return limitAuthority.akey
  if (facts.isBlacklisted) return limitAuthority.ordinary
  if (facts.grant?.role === 'bkey') return limitAuthority.bkey
  const visitTimeRuns =
    facts.grant !== undefined && (facts.grant.until === null || facts.grant.until.getTime() > now)
  if (visitTimeRuns) return limitAuthority.visitor
  // Any signed-in user may enter the demo machine, and there is one only where a demo runs (decision 42).
  if (demo && facts.machineCode === demoMachineCode) return limitAuthority.visitor
  return limitAuthority.ordinary
}
