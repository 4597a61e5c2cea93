import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { timing } from '@busbar/contract'
import { ClientSchema, type Push, PushSchema, Scene, TagValuesSchema } from '@busbar/contract/push'
import { WebSocket } from 'ws'

/**
 * Opens a page's socket, keeps it alive, watches machines and reports how old each update is, in ms;
 * `onOther` gets all other frames.
 */
export async function openPageSocket(
  url: string,
  token: string,
  machineIds: readonly number[],
  onAge: (ageMs: number) => void,
  onOther?: (push: Push) => void,
): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/echo.io?sid=${token}`)
  socket.binaryType = 'nodebuffer'
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  socket.on('message', (data: Buffer) => {
    const now = performance.timeOrigin + performance.now()
    const push = fromBinary(PushSchema, data)
    if (push.scene !== Scene.TAG_VALUES) return onOther?.(push)
    for (const { value } of fromBinary(TagValuesSchema, push.body).values) {
      // The fleet's own first values are small numbers, instants are not.
      if (value.case === 'numberValue' && value.value > 1e12) onAge(now - value.value)
    }
  })
  for (const machineId of machineIds) {
    const value = { machineId: String(machineId), tagIds: [] }
    socket.send(toBinary(ClientSchema, create(ClientSchema, { kind: { case: 'watch', value } })))
  }
  const beat = toBinary(ClientSchema, create(ClientSchema, { kind: { case: 'heartbeat', value: {} } }))
  const heartbeat = setInterval(() => socket.send(beat), timing.heartbeatMs)
  socket.once('close', (code) => {
    clearInterval(heartbeat)
    // 1005 and below are the measurement's own end; a socket that was refused must not count as a quiet one.
    if (code >= 4000) throw new Error(`The platform closed a page's socket with ${code}.`)
  })
  return socket
}
