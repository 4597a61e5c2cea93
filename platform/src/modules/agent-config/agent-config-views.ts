import type { agentConfig as contract } from '@busbar/contract'
import type { StateAnswer } from './agent-answers.ts'
import type { ChangeRow } from './agent-config-store.ts'

/** The configuration as it is shown; without a `state` the agent does not allow it. */
export function presentConfig(
  state: StateAnswer | undefined,
  changes: readonly ChangeRow[],
): contract.AgentConfig {
  const trial = state?.trial
  return {
    isAllowed: state !== undefined,
    revision: state?.revision ?? 0,
    kinds: state?.kinds ?? [],
    networks: state?.networks ?? [],
    wideNetworks: state?.wideNetworks ?? [],
    connections: (state?.connections ?? []).map(({ remote, tags, ...connection }) => ({
      ...connection,
      isRemote: remote,
      tagCount: tags,
    })),
    trial: trial
      ? { revision: trial.revision, startedAt: trial.at, isTold: trial.isTold, waitsFor: trial.waitsFor }
      : null,
    changes: changes.map((row) => presentChange(row, state)),
  }
}

function presentChange(row: ChangeRow, state: StateAnswer | undefined): contract.AgentChange {
  const { change_id, revision, restored_from, at, by, connections, tags, result, reason } = row
  const isTried = state?.trial?.id === change_id
  return {
    revision,
    at: at.getTime(),
    by: by ?? '',
    state: isTried ? 'trying' : result === 'applied' || result === 'rolledBack' ? result : 'unknown',
    reason,
    restoredFrom: restored_from,
    connectionCount: connections,
    tagCount: tags,
    isKept: revision === state?.revision || state?.ended.some(({ id }) => id === change_id) === true,
  }
}
