import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { openTcpTransport } from './transport.ts'

it('a connection creates no functions for its transport', () => {
  const events = { received: () => {}, closed: () => {} }
  const [one, other] = [openTcpTransport(new Socket(), events), openTcpTransport(new Socket(), events)]
  expect(Object.getOwnPropertyNames(one)).toEqual([])
  expect(one.write).toBe(other.write)
})
