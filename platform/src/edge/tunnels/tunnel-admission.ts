import type { WebSocket } from 'ws'

/** The answer to an agent that wants to open a tunnel. */
export type TunnelAdmission =
  | { readonly refused: '401 Unauthorized' | '429 Too Many Requests' | '503 Service Unavailable' }
  /** To be called in the same turn with the WebSocket. */
  | { accept(ws: WebSocket): void }
