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
  const level = levelOf(facts, grant, demo)
  const rights = new Set<MachineRight>()
  if (facts.isListed || facts.isOwner) rights.add('listed')
  if (level >= limitAuthority.visitor) rights.add('holder')
  if (level >= limitAuthority.visitor && facts.cloudService) rights.add('visitor+')
  if (level >= limitAuthority.bkey) rights.add('bkey+')
  if (level >= limitAuthority.akey) rights.add('akey')
  return {
    level,
    role: facts.isBlacklisted && !facts.isOwner ? 'blacklisted' : roleOfLevel[level],
    readOnly: grant?.readOnly ?? false,
    alarms: level >= limitAuthority.visitor && (grant?.alarms ?? true),
    rights,
    endsAt: grant?.until?.getTime(),
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
  if (!grant || facts.isOwner || facts.isBlacklisted) return undefined
  return grant.until === null || grant.until.getTime() > now ? grant : undefined
}

function levelOf(facts: AccessFacts, grant: AccessGrant | undefined, demo: boolean): Access['level'] {
  if (facts.isOwner) return limitAuthority.akey
  if (facts.isBlacklisted) return limitAuthority.ordinary
  if (grant) return grant.role === 'bkey' ? limitAuthority.bkey : limitAuthority.visitor
  // Any signed-in user may enter the demo machine, and there is one only where a demo runs (decision 42).
  if (demo && facts.machineCode === demoMachineCode) return limitAuthority.visitor
  return limitAuthority.ordinary
}
