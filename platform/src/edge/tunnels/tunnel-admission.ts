import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'

/** The answer to an agent that wants to open a tunnel. */
export type TunnelAdmission =
  | { readonly refused: '401 Unauthorized' | '429 Too Many Requests' | '503 Service Unavailable' }
  /** One of the two is to be called in the same turn. */
  | {
      accept(ws: WebSocket): void
      /** The socket has sent 101, and neither end has sent anything since. */
      acceptBytes(socket: Socket): void
    }
