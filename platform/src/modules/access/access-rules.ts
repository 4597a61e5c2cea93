import {
  type access,
  demoMachineCode,
  type ErrorCode,
  type MachineRight,
  type MemberRight,
  machines,
} from '@busbar/contract'

/** What the database knows about one user and one machine. */
export interface AccessFacts {
  readonly machineCode: string
  readonly cloudService: boolean
  readonly isOwner: boolean
  readonly isListed: boolean
  readonly isBlacklisted: boolean
  readonly grant: AccessGrant | undefined
  /** What the user is in the enterprise that owns the machine; undefined outside of it. */
  readonly member: EnterpriseMember | undefined
}

/** A member of the enterprise that owns a machine (decision 18). */
export interface EnterpriseMember {
  readonly role: 'owner' | 'admin' | 'member'
  readonly rights: readonly MemberRight[]
  /** In a management team of this machine. */
  readonly isInTeam: boolean
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
  /** Whether the machine's alarms are sent to this user; never to somebody without a right. */
  readonly alarms: boolean
  readonly rights: ReadonlySet<MachineRight>
  /** When the visit time that these rights rest on ends; epoch milliseconds. */
  readonly endsAt: number | undefined
}

/** The roles by their level, but for those a blacklist takes everything from. */
const roleOfLevel = ['ordinary', 'visitor', 'bkey', 'akey'] as const
const { limitAuthority } = machines

/** What somebody the platform knows nothing of may do: nothing. */
export const noAccess: Access = {
  level: 0,
  role: 'ordinary',
  readOnly: false,
  alarms: false,
  rights: new Set(),
  endsAt: undefined,
}

/**
 * The one function that says what a user may do to a machine now (decision 21): the least of role, grant,
 * read-only bit, cloud switch, visit time and blacklist. Every call, socket frame and stream asks it.
 */
export function decideAccess(facts: AccessFacts, now: number, demo: boolean): Access {
  const grant = findGrantInForce(facts, now)
  const membership = levelOfMember(facts)
  const level = levelOf(facts, grant, demo)
  const rights = new Set<MachineRight>()
  if (facts.isListed || facts.member || isOwner(facts)) rights.add('listed')
  if (level >= limitAuthority.visitor) rights.add('holder')
  if (level >= limitAuthority.visitor && facts.cloudService) rights.add('visitor+')
  if (level >= limitAuthority.bkey) rights.add('bkey+')
  if (level >= limitAuthority.akey) rights.add('akey')
  // A key's bit on this one person binds whatever else they are; by membership alone changing needs `control`.
  const watchesByMembership = membership === limitAuthority.visitor && !mayControl(facts)
  const restsOnGrant = level > membership || (watchesByMembership && grant?.readOnly === false)
  return {
    level,
    role: facts.isBlacklisted && !isOwner(facts) ? 'blacklisted' : roleOfLevel[level],
    readOnly: grant?.readOnly ?? watchesByMembership,
    alarms: level >= limitAuthority.visitor && (grant?.alarms ?? true),
    rights,
    endsAt: restsOnGrant ? grant?.until?.getTime() : undefined,
  }
}

/** Why a user may not enter a machine now, in decision 31's words. */
export function whyNotEnter(facts: AccessFacts, now: number, demo: boolean): ErrorCode {
  const { role, level } = decideAccess(facts, now, demo)
  if (role === 'blacklisted') return 'BLACKLIST'
  if (level > limitAuthority.ordinary) return facts.cloudService ? 'WRONG_ROLE' : 'CLOUD_EXPIRED'
  return facts.grant ? 'REST_TIME_OUT' : 'GENERAL_USER'
}

/** The grant the user's rights rest on: none for an owner, who needs none, nor where it gives nothing. */
function findGrantInForce(facts: AccessFacts, now: number): AccessGrant | undefined {
  const { grant } = facts
  if (!grant || isOwner(facts) || facts.isBlacklisted) return undefined
  return grant.until === null || grant.until.getTime() > now ? grant : undefined
}

function levelOf(facts: AccessFacts, grant: AccessGrant | undefined, demo: boolean): Access['level'] {
  const membership = levelOfMember(facts)
  if (isOwner(facts) || facts.isBlacklisted) return membership
  if (grant?.role === 'bkey') return limitAuthority.bkey
  // Any signed-in user may enter the demo machine, and there is one only where a demo runs (decision 42).
  const isOpen = demo && facts.machineCode === demoMachineCode
  if (membership === limitAuthority.ordinary && (grant || isOpen)) return limitAuthority.visitor
  return membership
}

/** The owner, or who is as much on an enterprise's machine: its owners and administrators. */
function isOwner({ isOwner, member }: AccessFacts): boolean {
  return isOwner || (member !== undefined && member.role !== 'member')
}

/** What somebody may by ownership or membership alone, before any grant (decision 18). */
function levelOfMember(facts: AccessFacts): Access['level'] {
  const { member } = facts
  if (isOwner(facts)) return limitAuthority.akey
  if (!member || facts.isBlacklisted) return limitAuthority.ordinary
  if (member.isInTeam && member.rights.includes('manage')) return limitAuthority.bkey
  return mayControl(facts) || member.rights.includes('view')
    ? limitAuthority.visitor
    : limitAuthority.ordinary
}

const mayControl = ({ member }: AccessFacts): boolean => member?.rights.includes('control') ?? false
