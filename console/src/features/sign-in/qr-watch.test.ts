import { ClientSchema, fromBinary } from '@busbar/contract/push'
import { expect, it } from 'vitest'
import { heartbeatFrame } from './qr-watch.ts'

it('sends a heartbeat that the platform takes for one', () => {
  expect(fromBinary(ClientSchema, heartbeatFrame).kind.case).toBe('heartbeat')
})
