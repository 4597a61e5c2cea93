import { createStore } from '../../shared/api/store.ts'

/** A dialog about one device that opens above any page. */
export interface DeviceDialog {
  readonly kind: 'check' | 'agentLog'
  readonly machineId: number
  readonly name: string
}

/** The one that is open. */
export const deviceDialog = createStore<DeviceDialog | undefined>(undefined)

type Device = { readonly id: number; readonly name: string }

const opener =
  (kind: DeviceDialog['kind']) =>
  ({ id, name }: Device): void =>
    deviceDialog.set({ kind, machineId: id, name })

export const openCheck = opener('check')
export const openAgentLog = opener('agentLog')
