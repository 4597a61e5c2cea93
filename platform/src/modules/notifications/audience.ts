import type { access as accessContract } from '@busbar/contract'
import type { PairAccess } from '../access/index.ts'

/** A person who is notified of the alarms of a machine. */
export interface Listener {
  readonly machineId: number
  readonly userId: number
  /** By SMS and e-mail too: a key, a member who handles alarms, or a visitor whom the Akey chose. */
  readonly isWritten: boolean
  readonly role: 'akey' | 'bkey' | 'visitor' | 'member'
}

type Role = accessContract.Role

/**
 * The people who are notified of a machine's alarms, by their present rights to it (rules/messages.md: audience of an
 * alarm).
 */
export function listenersOf(
  pairs: readonly PairAccess[],
  chosen: ReadonlyMap<number, ReadonlySet<number>>,
): Listener[] {
  return pairs.flatMap(({ machineId, userId, access }) => {
    const looksAfter = access.memberRights.includes('alarm')
    if (!access.alarms && !looksAfter) return []
    const isKey = access.rights.has('bkey+')
    const isWritten = isKey || looksAfter || (chosen.get(machineId)?.has(userId) ?? false)
    return [{ machineId, userId, isWritten, role: roleOf(access.role, looksAfter) }]
  })
}

const roleOf = (role: Role, looksAfter: boolean): Listener['role'] => {
  if (role === 'akey' || role === 'bkey') return role
  return looksAfter ? 'member' : 'visitor'
}
