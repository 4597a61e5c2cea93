import { timing } from '@busbar/contract'

/** The polling interval while the socket is not open. */
const pollIntervalMs = 2_000
/** A heartbeat as contract/push/push.proto has it: field 1, empty. This page needs only this part of it. */
export const heartbeatFrame = new Uint8Array([0x0a, 0x00])

/**
 * Calls `onChange` whenever the state of a QR code may have changed: on a message of its own socket, and every
 * two seconds while that is not open. Returns the function that ends it.
 */
export function watchQr(qrToken: string, onChange: () => void): () => void {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  const socket = new WebSocket(`${scheme}://${location.host}/echo.io?sid=${encodeURIComponent(qrToken)}`)
  socket.binaryType = 'arraybuffer'
  socket.addEventListener('message', onChange)
  // For changes before it was open.
  socket.addEventListener('open', onChange)
  const beats = setInterval(() => {
    if (socket.readyState === WebSocket.OPEN) socket.send(heartbeatFrame)
  }, timing.heartbeatMs)
  const polls = setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN) onChange()
  }, pollIntervalMs)
  return () => {
    clearInterval(beats)
    clearInterval(polls)
    socket.removeEventListener('message', onChange)
    socket.removeEventListener('open', onChange)
    socket.close()
  }
}
