import type { Machine } from '../../../entities/machine/machine.ts'

export interface GroupChange {
  readonly groupId: number
  /** The devices that come into it or leave it. */
  readonly ids: readonly number[]
  /** All that are in it then. */
  readonly machineIds: readonly number[]
}

/**
 * The steps that put devices into the requested groups (`true`) and take them out of the others (`false`),
 * based on the current list; `gone` are devices that have left the list since.
 */
export function groupSteps(
  wanted: readonly Machine[],
  list: readonly Machine[],
  wishes: Readonly<Record<number, boolean>>,
): { changes: GroupChange[]; gone: number[] } {
  const listed = new Set(list.map(({ id }) => id))
  const chosen = wanted.map(({ id }) => id).filter((id) => listed.has(id))
  const changes = Object.entries(wishes).flatMap(([key, isIn]): GroupChange[] => {
    const groupId = Number(key)
    const members = new Set(
      list.filter(({ groups }) => groups.some((group) => group.id === groupId)).map(({ id }) => id),
    )
    const ids = chosen.filter((id) => members.has(id) !== isIn)
    if (ids.length === 0) return []
    for (const id of ids) isIn ? members.add(id) : members.delete(id)
    return [{ groupId, ids, machineIds: [...members] }]
  })
  return { changes, gone: wanted.map(({ id }) => id).filter((id) => !listed.has(id)) }
}
