import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ClientHttp2Stream } from 'node:http2'
import { PassThrough } from 'node:stream'
import { type ErrorCode, errors } from '@busbar/contract'
import { expect, it } from 'vitest'
import type { LiveVisit } from '../modules/visits/live-visit.ts'
import { learnTarget } from '../modules/visits/targets.ts'
import type { OpenVisit } from '../modules/visits/visit-port.ts'
import { proxyRequest } from '../visit-host/proxy-request.ts'
import { visitRules } from '../visit-host/rules.ts'
import type { OpenedStream, TunnelLine } from './edge-link.ts'
import { NotReachable, within } from './not-reachable.ts'

const never = new Promise<never>(() => undefined)

it('a holder that does not answer in time is reported as not reachable, in both languages', async () => {
  const refused = await within(1, never).catch((error) => error)
  expect(refused).toBeInstanceOf(NotReachable)
  const { text, hwreason } = errors[refused.code as ErrorCode]
  expect(hwreason).toBe('NOT_REACHABLE')
  expect(text.cn).not.toBe('')
  expect(text.en).not.toBe('')
  expect(await within(1_000, Promise.resolve(7))).toBe(7)
})

it('an answer of the former tunnel does not decide whether a page can be watched', async () => {
  const targets = Promise.withResolvers<[{ name: string; readOnly: boolean }]>()
  const line = { targets: () => targets.promise } as unknown as TunnelLine
  const visit = { machineId: 1, target: 'page', canWatch: undefined, tunnelsSeen: 0 } as unknown as LiveVisit
  const learning = learnTarget({ tunnel: async () => line }, visit)
  visit.tunnelsSeen++
  targets.resolve([{ name: 'page', readOnly: true }])
  await learning
  expect(visit.canWatch).toBeUndefined()
  await learnTarget({ tunnel: async () => line }, visit)
  expect(visit.canWatch).toBe(true)
})

it('a stream that opens after its visit was cut carries nothing', async () => {
  const opening = Promise.withResolvers<OpenedStream>()
  let cut = () => {}
  let isReleased = false
  const socket = Object.assign(new PassThrough(), { resetAndDestroy: () => socket.destroy() })
  const request = {
    socket,
    method: 'GET',
    url: '/',
    rawHeaders: [],
    headers: {},
  } as unknown as IncomingMessage
  const visit = {
    mode: 'rw',
    target: 'page',
    userName: 'Lan',
    until: 0,
    hold(stream: { cut: () => void }) {
      cut = () => stream.cut()
      return {
        release() {
          isReleased = true
        },
      }
    },
  } as unknown as OpenVisit
  const tunnel = { isOpen: true, openStream: () => opening.promise } as unknown as TunnelLine
  const refuse = () => expect.unreachable('a connection that was cut is not answered')
  const deps = { rules: visitRules, https: false, refuse }
  const proxied = proxyRequest(request, {} as ServerResponse, visit, tunnel, deps)
  cut()
  const stream = new PassThrough().on('error', () => undefined)
  opening.resolve(stream as unknown as ClientHttp2Stream)
  await proxied
  expect(stream.destroyed).toBe(true)
  expect(isReleased).toBe(true)
})
