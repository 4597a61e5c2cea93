import { createStore } from '../../shared/api/store.ts'

export interface AgentLogWish {
  readonly machineId: number
  readonly name: string
}

/** The device whose agent's log is open. */
export const agentLogWish = createStore<AgentLogWish | undefined>(undefined)

export const openAgentLog = ({ id, name }: { readonly id: number; readonly name: string }): void =>
  agentLogWish.set({ machineId: id, name })
