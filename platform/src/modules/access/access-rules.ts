import { demoMachineCode, type MachineRight, machines } from '@busbar/contract'

/** What the database knows about one user and one machine. */
export interface AccessFacts {
  readonly machineCode: string
  readonly cloudService: boolean
  readonly isOwner: boolean
  readonly isListed: boolean
  readonly grant:
    | { readonly role: 'bkey' | 'visitor'; readonly until: Date | null; readonly readOnly: boolean }
    | undefined
}

/** What a user may do to a machine now. */
export interface Access {
  /** limit_authority of decision 21: 0 ordinary, 1 visitor with valid time, 2 Bkey, 3 Akey. */
  readonly level: 0 | 1 | 2 | 3
  readonly readOnly: boolean
  readonly rights: ReadonlySet<MachineRight>
  /** When the visit time that these rights rest on ends; epoch milliseconds. */
  readonly endsAt: number | undefined
}

const { limitAuthority } = machines

/**
 * The one function that says what a user may do to a machine now (decision 21): the least of role, grant,
 * read-only bit, cloud switch and visit time. Every call, socket frame and stream asks it.
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
    readOnly: !facts.isOwner && (facts.grant?.readOnly ?? false),
    rights,
    endsAt: level === limitAuthority.visitor ? facts.grant?.until?.getTime() : undefined,
  }
}

function levelOf(facts: AccessFacts, now: number, demo: boolean): Access['level'] {
  if (facts.isOwner) return limitAuthority.akey
  if (facts.grant?.role === 'bkey') return limitAuthority.bkey
  const visitTimeRuns =
    facts.grant !== undefined && (facts.grant.until === null || facts.grant.until.getTime() > now)
  if (visitTimeRuns) return limitAuthority.visitor
  // Any signed-in user may enter the demo machine, and there is one only where a demo runs (decision 42).
  if (demo && facts.machineCode === demoMachineCode) return limitAuthority.visitor
  return limitAuthority.ordinary
}
