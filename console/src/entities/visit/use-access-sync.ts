import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { push } from '../../shared/api/live.ts'
import { accessKey, roleQuery } from '../access/access-queries.ts'
import { machineVisitsQuery } from './visit-queries.ts'

/** Events are gathered this long: ending a visitor changes their right, their visit and who controls the machine. */
const gatherMs = 250

/**
 * Calls `refresh`, which must be stable, when the push reports this machine and when the person returns to
 * the page.
 */
function useMachineChanges(machineId: number, refresh: () => Promise<void>): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void refresh()
      }, gatherMs)
    }
    const onReturn = () => document.visibilityState === 'visible' && soon()
    const ends = [
      push.on('machineState', (event) => event.machineId === machineId && soon()),
      push.on('visit', (event) => event.machineId === machineId && soon()),
      push.on('audit', (event) => event.machineId === machineId && soon()),
    ]
    document.addEventListener('visibilitychange', onReturn)
    window.addEventListener('focus', onReturn)
    return () => {
      clearTimeout(timer)
      for (const end of ends) end()
      document.removeEventListener('visibilitychange', onReturn)
      window.removeEventListener('focus', onReturn)
    }
  }, [machineId, refresh])
}

/** Keeps the administration page up to date. Returns the function that reloads everything. */
export function useAccessSync(machineId: number): () => Promise<void> {
  const client = useQueryClient()
  const refresh = useCallback(() => refreshAccess(client, machineId), [client, machineId])
  useMachineChanges(machineId, refresh)
  return refresh
}

/** Keeps the caller's role on the machine up to date. */
export function useRoleSync(machineId: number): void {
  const client = useQueryClient()
  const refresh = useCallback(
    () => client.invalidateQueries({ queryKey: roleQuery(machineId).queryKey }),
    [client, machineId],
  )
  useMachineChanges(machineId, refresh)
}

/** Checks the role first: a person who lost it should not see each call refused. */
async function refreshAccess(client: QueryClient, machineId: number): Promise<void> {
  await client.invalidateQueries({ queryKey: roleQuery(machineId).queryKey })
  await Promise.all([
    client.invalidateQueries({ queryKey: accessKey(machineId) }),
    client.invalidateQueries({ queryKey: machineVisitsQuery(machineId).queryKey }),
  ])
}
