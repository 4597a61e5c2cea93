import { agentConfig } from '@busbar/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'

/** The key with which all queries of a device's agent begin. */
export const agentConfigKey = (machineId: number) => ['agentConfig', machineId] as const

const trialMs = 1_000
const restMs = 10_000

/** The state of the configuration: looked at often while a change is being tried. */
export function agentConfigQuery(machineId: number) {
  return queryOptions({
    queryKey: [...agentConfigKey(machineId), 'state'],
    queryFn: ({ signal }) => call(agentConfig.getAgentConfig, { machineId }, { signal, silent: true }),
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state }) => (state.data?.trial ? trialMs : restMs),
  })
}

/** The connections and variables of a version; a version never changes. */
export function agentDocumentQuery(machineId: number, revision: number) {
  return queryOptions({
    queryKey: [...agentConfigKey(machineId), 'document', revision],
    queryFn: ({ signal }) =>
      call(agentConfig.getAgentDocument, { machineId, revision }, { signal, silent: true }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The scan that an agent runs, or its last one. */
export function agentScanQuery(machineId: number) {
  return queryOptions({
    queryKey: [...agentConfigKey(machineId), 'scan'],
    queryFn: ({ signal }) => call(agentConfig.getScan, { machineId }, { signal, silent: true }),
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? trialMs : false),
  })
}
