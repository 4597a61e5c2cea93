import { useQueryClient } from '@tanstack/react-query'
import { spaceKey } from '../../../entities/enterprise/enterprise-queries.ts'
import { refreshList } from '../../../entities/machine/list-changes.ts'
import type { Machine } from '../../../entities/machine/machine.ts'
import type { RowKey } from '../../../shared/ui/data/virtual-grid.tsx'
import type { DeviceSpace } from '../space.ts'

/** The props of each dialog for several devices. */
export interface BulkProps {
  readonly machines: readonly Machine[]
  readonly space: DeviceSpace
  /** Selects those that are not done. */
  readonly select: (machineIds: ReadonlySet<RowKey>) => void
  readonly onClose: () => void
}

/** Reloads everything that a list of this space shows. */
export function useRefresh(space: DeviceSpace): () => Promise<unknown> {
  const client = useQueryClient()
  return () =>
    space.kind === 'personal'
      ? refreshList(client)
      : client.invalidateQueries({ queryKey: spaceKey(space.eid) })
}
