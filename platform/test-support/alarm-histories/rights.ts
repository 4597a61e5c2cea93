/** The rights of one history's people, from the tables; who is notified is decided here a second time. */
export interface Rights {
  readonly machines: readonly {
    readonly id: number
    readonly owner: number | null
    readonly eid: number | null
    readonly since: number | null
  }[]
  readonly grants: readonly {
    readonly id: number
    readonly machine: number
    readonly user: number
    readonly role: 'bkey' | 'visitor'
    readonly until: number | null
    readonly alarms: boolean
  }[]
  readonly banned: readonly { readonly machine: number; readonly user: number }[]
  readonly members: readonly {
    readonly user: number
    readonly eid: number
    readonly role: 'owner' | 'admin' | 'member'
    readonly rights: readonly string[]
  }[]
  readonly windows: readonly {
    readonly id: number
    readonly machine: number
    readonly user: number
    readonly start: number
    readonly stop: number
  }[]
}

/** A person's share in a machine's alarms: none, sees them, is notified on pages, or also by SMS and e-mail. */
export type Share = 'nothing' | 'sees' | 'told' | 'written'

/** The share of a person in a machine's alarms at an instant. */
export function shareOf(rights: Rights, machineId: number, userId: number, now: number): Share {
  const machine = rights.machines.find(({ id }) => id === machineId)
  if (!machine) return 'nothing'
  const member = rights.members.find(({ user, eid }) => user === userId && eid === machine.eid)
  if (machine.owner === userId || (member && member.role !== 'member')) return 'written'
  const isMeant = (one: { machine: number; user: number }) => one.machine === machineId && one.user === userId
  if (rights.banned.some(isMeant)) return 'nothing'
  if (member?.rights.includes('alarm')) return 'written'
  const grant = rights.grants.find((one) => isMeant(one) && (one.until === null || one.until > now))
  const isWatching = member?.rights.some((right) => right === 'view' || right === 'control')
  const isInWindow = rights.windows.some((one) => isMeant(one) && one.start <= now && now < one.stop)
  if (!grant) return isWatching || isInWindow ? 'told' : 'nothing'
  if (!grant.alarms) return 'sees'
  return grant.role === 'bkey' ? 'written' : 'told'
}

export const seesAlarms = (share: Share): boolean => share !== 'nothing'
export const isTold = (share: Share): boolean => share === 'told' || share === 'written'
