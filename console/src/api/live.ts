import { accounts } from '@busbar/contract'
import { call } from './client.ts'
import { PushClient, type PushSocket, type PushState } from './push.ts'
import { useStore } from './store.ts'

/** This tab's push connection. */
export const push = new PushClient({
  async createTicket() {
    const { ticket } = await call(accounts.createPushTicket, {})
    return ticket
  },
  openSocket(ticket) {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    return new WebSocket(
      `${scheme}://${location.host}/echo.io?sid=${encodeURIComponent(ticket)}`,
    ) as PushSocket
  },
})

window.addEventListener('online', () => push.reconnectNow())

/** Whether values on screen are live, and how far away the platform is. */
export function usePushState(): PushState {
  return useStore(push.state)
}
