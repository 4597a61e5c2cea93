import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { machineTagsKey } from '../../../entities/machine/machine-queries.ts'
import { push } from '../../../shared/api/live.ts'

/** Reloads a machine's tags when some were added, or have another name, unit or the like. */
export function useTagChanges(machineId: number): void {
  const client = useQueryClient()
  useEffect(
    () =>
      push.on('tagsChange', (event) => {
        if (event.machineId === machineId)
          void client.invalidateQueries({ queryKey: machineTagsKey(machineId) })
      }),
    [client, machineId],
  )
}
