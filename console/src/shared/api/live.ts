import { accounts, telemetry } from '@busbar/contract'
import { call } from './client.ts'
import { loadOrReload } from './load-or-reload.ts'
import { PushClient, type PushSocket, type PushState } from './push.ts'
import { isReachable, onReach, onReturn, probeNow } from './reachability.ts'
import { useStore } from './store.ts'

/** More tags than this would make the address too long, so all are requested. */
const namedTagsMax = 200

/** This tab's push connection. */
export const push = new PushClient({
  async createTicket() {
    const { ticket } = await call(accounts.createPushTicket, {})
    return ticket
  },
  loadWire: () => loadOrReload(() => import('./push-wire.ts')),
  listLatest: (machineId, tagIds, signal) =>
    // A failure needs no notice because the values are shown as not live.
    call(
      telemetry.listLatest,
      { machineId, ...(tagIds.length > 0 && tagIds.length <= namedTagsMax && { tags: [...tagIds] }) },
      { signal, noNotice: true },
    ),
  async findResult(machineId, commandId, signal) {
    const write = { machineId, commandId }
    const { state, kept, ...rest } = await call(telemetry.getWrite, write, { signal, noNotice: true })
    return state === 'sent'
      ? undefined
      : { ...rest, machineId, state, kept: kept === null ? undefined : { value: kept } }
  },
  openSocket(ticket) {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    return new WebSocket(
      `${scheme}://${location.host}/echo.io?sid=${encodeURIComponent(ticket)}`,
    ) as PushSocket
  },
})

window.addEventListener('online', () => push.reconnectNow())
window.addEventListener('offline', () => void probeNow())
onReturn(() => push.reconnectNow())
onReach(() => {
  if (!isReachable()) push.check()
})

let wasLost = false
// Checks immediately whether only the socket is lost, or the platform.
push.state.subscribe(() => {
  const isLost = push.state.get().connection === 'lost'
  if (isLost && !wasLost) void probeNow()
  wasLost = isLost
})

/** Whether the push connection stands, and how far away the platform is. */
export function usePushState(): PushState {
  return useStore(push.state)
}

/** False while values on screen may be old, because updates do not arrive. */
export function useIsLive(): boolean {
  return useStore(push.state).connection !== 'lost'
}
