import { ApiError } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { push } from '../../shared/api/live.ts'
import { Button } from '../../shared/ui/button.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Stack } from '../../shared/ui/layout/layout.tsx'
import { ShapeWait } from '../../shared/ui/shape-wait.tsx'
import { AgentSetup } from './agent-setup.tsx'
import { Arrival } from './arrival.tsx'
import { setupQuery } from './connect-queries.ts'
import { useConnectText } from './connect-text.ts'
import { Steps } from './steps.tsx'
import { useToList } from './use-to-list.ts'
import { ValuesSetup } from './values-setup.tsx'

interface ConnectedMachineProps {
  machineId: number
  eid: number | undefined
}

/** A registered machine: what it needs until its values arrive. */
export function ConnectedMachine({ machineId, eid }: ConnectedMachineProps) {
  const t = useConnectText()
  const client = useQueryClient()
  const query = setupQuery(machineId)
  const { data: setup, error, isFetching, refetch } = useQuery(query)
  const toList = useToList(eid)
  useEffect(
    () =>
      push.on('machineState', (state) => {
        if (state.machineId === machineId && state.online)
          void client.invalidateQueries({ queryKey: setupQuery(machineId).queryKey })
      }),
    [client, machineId],
  )
  if (!setup) {
    if (!error) return <ShapeWait shape="form" />
    const isForeign = error instanceof ApiError && (error.is('404') || error.isForbidden)
    return (
      <EmptyState
        icon={isForeign ? 'lock' : 'warning'}
        title={isForeign ? t.unknown.title : t.failed}
        hint={isForeign ? t.unknown.hint : undefined}
      >
        {isForeign ? (
          <Button onClick={() => toList()}>{t.toList}</Button>
        ) : (
          <Button icon="refresh" busy={isFetching} onClick={() => void refetch()}>
            {t.retry}
          </Button>
        )}
      </EmptyState>
    )
  }
  const isConnected = setup.connectedAt !== null
  return (
    <>
      <Steps at={isConnected ? 'connected' : 'setup'} />
      <Stack gap={20}>
        {!isConnected && setup.kind === 'agent' && <AgentSetup machineId={machineId} link={setup.link} />}
        {!isConnected && setup.kind !== 'agent' && <ValuesSetup machineId={machineId} kind={setup.kind} />}
        <Arrival machineId={machineId} eid={eid} kind={setup.kind} isConnected={isConnected} />
      </Stack>
    </>
  )
}
