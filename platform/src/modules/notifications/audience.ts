import type { Access, PairAccess } from '../access/index.ts'

/** A person who is notified of the alarms of a machine. */
export interface Listener {
  readonly machineId: number
  readonly userId: number
  /** By SMS and e-mail too: a key, somebody who handles the alarms, or a visitor whom the Akey chose. */
  readonly isWritten: boolean
  readonly role: 'akey' | 'bkey' | 'visitor' | 'member' | 'maintainer'
}

/**
 * The people who are notified of a machine's alarms, by their present rights to it (rules/messages.md: audience of an
 * alarm).
 */
export function listenersOf(
  pairs: readonly PairAccess[],
  chosen: ReadonlyMap<number, ReadonlySet<number>>,
): Listener[] {
  return pairs.flatMap(({ machineId, userId, access }) => {
    const { handlesAlarms } = access
    if (!access.alarms && !handlesAlarms) return []
    const isKey = access.rights.has('bkey+')
    const isWritten = isKey || handlesAlarms || (chosen.get(machineId)?.has(userId) ?? false)
    return [{ machineId, userId, isWritten, role: roleOf(access) }]
  })
}

const roleOf = ({ role, memberRights, handlesAlarms }: Access): Listener['role'] => {
  if (role === 'akey' || role === 'bkey') return role
  if (memberRights.includes('alarm')) return 'member'
  return handlesAlarms ? 'maintainer' : 'visitor'
}
