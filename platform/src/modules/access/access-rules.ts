import {
  type access,
  demoMachineCode,
  type ErrorCode,
  type MachineRight,
  type MemberRight,
  machines,
} from '@busbar/contract'

/** The facts that the database has about one user and one machine. */
export interface AccessFacts {
  readonly machineCode: string
  readonly cloudService: boolean
  readonly isOwner: boolean
  /** The user asked to be deleted: every right is suspended until that is taken back. */
  readonly isLeaving: boolean
  readonly isListed: boolean
  readonly isBlacklisted: boolean
  readonly grant: AccessGrant | undefined
  /** The user's membership in the enterprise that owns the machine; undefined for others. */
  readonly member: EnterpriseMember | undefined
  /** Whether the user maintains the machine for its owner; undefined: not. */
  readonly maintenance: Maintenance | undefined
}

/** A member of the enterprise that owns a machine. */
export interface EnterpriseMember {
  readonly role: 'owner' | 'admin' | 'member'
  readonly rights: readonly MemberRight[]
  /** In a management team of this machine. */
  readonly isInTeam: boolean
}

/**
 * The right of a member of a machine's maintenance team, or of an owner or administrator of the enterprise that
 * maintains it.
 */
export interface Maintenance {
  /** The accepted window that is open, else the next one; undefined if the owner has accepted none. */
  readonly window: MaintenanceWindow | undefined
  /** An open window has the scope `alarm`. */
  readonly servesAlarms?: boolean
  /** The last end of the open windows with the scope `passthrough`. */
  readonly portsUntil?: Date | undefined
}

/** When, and with what rights, a machine's owner admits its maintainer. */
export interface MaintenanceWindow {
  readonly startAt: Date
  /** Null: no end, a service contract. */
  readonly stopAt: Date | null
  readonly mayControl: boolean
}

/** A Bkey's or visitor's right, with its two bits. */
export interface AccessGrant {
  readonly id: number
  readonly role: 'bkey' | 'visitor'
  /** Null: no expiry. */
  readonly until: Date | null
  readonly readOnly: boolean
  readonly alarms: boolean
}

/** The rights of a user to a machine now. */
export interface Access {
  /** `limit_authority` of the API: 0 ordinary, 1 visitor with valid time, 2 Bkey, 3 Akey. */
  readonly level: 0 | 1 | 2 | 3
  readonly role: access.Role
  /** The reason that lets the user in; undefined if there is no such reason. */
  readonly by: access.Reach['by'] | undefined
  readonly readOnly: boolean
  /** Whether the machine's alarms are sent to this user; never without a right. */
  readonly alarms: boolean
  /** Whether the user handles the machine's alarms: a member with that right, or a maintainer by an open window. */
  readonly handlesAlarms: boolean
  /**
   * Whether the user may use the machine's ports: a key, a member of a team with `control`, or a maintainer by an open
   * window with `passthrough`. Others may at most look, where the agent's file lets visitors (rules/visits.md: ports).
   */
  readonly mayUsePorts: boolean
  /** When a maintenance window ends on which that alone rests; epoch milliseconds. */
  readonly portsEndAt: number | undefined
  readonly rights: ReadonlySet<MachineRight>
  /** The rights given to the user in the enterprise that owns the machine; none where its blacklist names them. */
  readonly memberRights: readonly MemberRight[]
  /** When the visit time or maintenance window that these rights rest on ends; epoch milliseconds. */
  readonly endsAt: number | undefined
  /** When a maintenance window will let the user in, who cannot enter now; epoch milliseconds. */
  readonly opensAt: number | undefined
}

/** The roles by their level, but for those a blacklist takes everything from. */
const roleOfLevel = ['ordinary', 'visitor', 'bkey', 'akey'] as const
const { limitAuthority } = machines

/** The rights of an unknown person: none. */
export const noAccess: Access = {
  level: 0,
  role: 'ordinary',
  by: undefined,
  readOnly: false,
  alarms: false,
  handlesAlarms: false,
  mayUsePorts: false,
  portsEndAt: undefined,
  rights: new Set(),
  memberRights: [],
  endsAt: undefined,
  opensAt: undefined,
}

/**
 * The only decision about a user's rights to a machine now: the least of role, grant, read-only bit, cloud switch,
 * visit time, blacklist and maintenance window. Every call, socket frame and stream uses it
 * (rules/access.md: levels).
 */
export function decideAccess(facts: AccessFacts, now: number, demo: boolean): Access {
  if (facts.isLeaving) return noAccess
  const grant = findGrantInForce(facts, now)
  const window = findWindowInForce(facts, grant, now)
  const membership = levelOfMember(facts)
  const level = levelOf(facts, grant, window, demo)
  const rights = new Set<MachineRight>()
  if (facts.isListed || facts.member || facts.maintenance || isOwner(facts)) rights.add('listed')
  if (level >= limitAuthority.visitor) rights.add('holder')
  if (level >= limitAuthority.visitor && facts.cloudService) rights.add('visitor+')
  if (level >= limitAuthority.bkey) rights.add('bkey+')
  if (level >= limitAuthority.akey) rights.add('akey')
  // A grant's read-only bit binds a person whatever else they are; with a membership alone, changes need `control`.
  const watchesByMembership = membership === limitAuthority.visitor && !mayControl(facts)
  const restsOnGrant = level > membership || (watchesByMembership && grant?.readOnly === false)
  const isKeptOut = facts.isBlacklisted && !isOwner(facts)
  const memberRights = (isKeptOut ? undefined : facts.member?.rights) ?? []
  const isOfTeam = !isKeptOut && facts.member?.isInTeam === true && mayControl(facts)
  const usesPorts = level >= limitAuthority.bkey || isOfTeam
  const portsUntil = isKeptOut || usesPorts ? undefined : facts.maintenance?.portsUntil?.getTime()
  const servesAlarms = !isKeptOut && facts.maintenance?.servesAlarms === true
  return {
    level,
    role: isKeptOut ? 'blacklisted' : roleOfLevel[level],
    by: reachedBy(facts, level, grant, window),
    readOnly: grant?.readOnly ?? (window ? !window.mayControl : watchesByMembership),
    alarms: level >= limitAuthority.visitor && (servesAlarms || (grant?.alarms ?? true)),
    handlesAlarms: servesAlarms || memberRights.includes('alarm'),
    mayUsePorts: usesPorts || (portsUntil !== undefined && now < portsUntil),
    portsEndAt: portsUntil,
    rights,
    memberRights,
    endsAt: (window?.stopAt ?? (restsOnGrant ? grant?.until : undefined))?.getTime(),
    opensAt: level === limitAuthority.ordinary && !isKeptOut ? findOpening(facts, now) : undefined,
  }
}

/**
 * Whether a person may change the settings of a machine: a key that is not read-only, or a member with this right of the
 * enterprise that owns it (rules/access.md: acts of keys).
 */
export function maySet(own: Access | undefined, orMember?: MemberRight): boolean {
  if (!own) return false
  const isMember = orMember !== undefined && own.memberRights.includes(orMember)
  return isMember || (own.rights.has('bkey+') && !own.readOnly)
}

/** Why a user may not enter a machine now, as one of `auditErrors` (rules/access.md: refusals). */
export function entryDenial(facts: AccessFacts, now: number, demo: boolean): ErrorCode {
  const { role, level } = decideAccess(facts, now, demo)
  if (role === 'blacklisted') return 'BLACKLIST'
  if (level > limitAuthority.ordinary) return facts.cloudService ? 'WRONG_ROLE' : 'CLOUD_EXPIRED'
  if (facts.maintenance) return 'CLOUD_EXPIRED'
  return facts.grant ? 'REST_TIME_OUT' : 'GENERAL_USER'
}

/** Why a user may not act as a machine's key, as one of `auditErrors`. */
export function keyDenial(facts: AccessFacts, now: number, demo: boolean): ErrorCode {
  const { role, level } = decideAccess(facts, now, demo)
  if (role === 'blacklisted') return 'BLACKLIST'
  return level > limitAuthority.ordinary ? 'WRONG_ROLE' : 'GENERAL_USER'
}

/** The grant that gives the user's rights; undefined for an owner, who needs none, and if it is over. */
function findGrantInForce(facts: AccessFacts, now: number): AccessGrant | undefined {
  const { grant } = facts
  if (!grant || isOwner(facts) || facts.isBlacklisted) return undefined
  return grant.until === null || grant.until.getTime() > now ? grant : undefined
}

/** The window the user's rights rest on: none where it is not open, or something else gives as much. */
function findWindowInForce(
  facts: AccessFacts,
  grant: AccessGrant | undefined,
  now: number,
): MaintenanceWindow | undefined {
  const window = facts.maintenance?.window
  if (!window || grant || isOwner(facts) || facts.isBlacklisted) return undefined
  const isOpen = window.startAt.getTime() <= now && (window.stopAt === null || now < window.stopAt.getTime())
  const membership = levelOfMember(facts)
  const widens = membership === limitAuthority.visitor && window.mayControl && !mayControl(facts)
  return isOpen && (membership === limitAuthority.ordinary || widens) ? window : undefined
}

/** When the next window opens; epoch milliseconds. */
function findOpening({ maintenance }: AccessFacts, now: number): number | undefined {
  const startAt = maintenance?.window?.startAt.getTime()
  return startAt !== undefined && startAt > now ? startAt : undefined
}

function levelOf(
  facts: AccessFacts,
  grant: AccessGrant | undefined,
  window: MaintenanceWindow | undefined,
  demo: boolean,
): Access['level'] {
  const membership = levelOfMember(facts)
  if (isOwner(facts) || facts.isBlacklisted) return membership
  if (grant?.role === 'bkey') return limitAuthority.bkey
  // Any signed-in user may enter the demo machine, and there is one only where a demo runs.
  const isOpen = demo && facts.machineCode === demoMachineCode
  if (membership === limitAuthority.ordinary && (grant || window || isOpen)) return limitAuthority.visitor
  return membership
}

function reachedBy(
  facts: AccessFacts,
  level: Access['level'],
  grant: AccessGrant | undefined,
  window: MaintenanceWindow | undefined,
): Access['by'] {
  if (isOwner(facts)) return 'akey'
  if (level === limitAuthority.ordinary) return undefined
  if (window) return 'maintenance'
  if (grant?.role === 'bkey') return 'bkey'
  if (levelOfMember(facts) !== level) return 'visitor'
  return facts.member?.isInTeam ? 'team' : 'member'
}

/** The owner, or somebody with the same rights to an enterprise's machine: its owners and administrators. */
function isOwner({ isOwner, member }: AccessFacts): boolean {
  return isOwner || (member !== undefined && member.role !== 'member')
}

/** The level by ownership or membership alone, before any grant. */
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
