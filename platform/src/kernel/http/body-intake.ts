import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { BodyBudget } from './body-budget.ts'
import { MeteredBody, tooLong } from './metered-body.ts'
import { limitBody } from './web-port.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The caller, if known before the body is read; all others count as strangers. */
    knowsCaller?: boolean
  }
}

/** A stranger's body has 16 kB at most; a phone with a weak signal sends that in less time. */
const strangersBodyMsMax = 10_000
/** Time limit of the rest of a body that was answered early, so that the sender can read the answer. */
const drainMsMax = 1_000

/** Methods whose bodies are not read. */
const bodyless = new Set(['GET', 'HEAD', 'TRACE'])

/**
 * Lets bodies in by their length, their sender's share of the budget and their time. It runs after the caller was
 * checked; `100 Continue` is sent when the body is about to be read.
 */
export function meterBodies(app: FastifyInstance, budget: BodyBudget): void {
  // With a callback: a promise would let a hook that failed read the body all the same.
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { raw } = request
    if (!hasBody(raw) || bodyless.has(request.method)) return done(null, payload)
    const { bodyLimit: bytesMax, config } = request.routeOptions
    if (Number(request.headers['content-length']) > bytesMax) return done(tooLong(bytesMax))
    const isStranger = config?.knowsCaller !== true
    if (isStranger) limitBody(raw, strangersBodyMsMax)
    const share = budget.open(request.ip, isStranger)
    reply.raw.once('close', share.release)
    const body = new MeteredBody(raw, {
      share,
      bytesMax,
      onBegin: () => {
        if (expectsContinue(raw)) reply.raw.writeContinue()
      },
    })
    done(null, body)
  })
  app.addHook('onSend', async (request, reply, payload) => {
    // The connection is closed later: a reset at once could overtake the answer.
    if (hasBody(request.raw) && !request.raw.complete) reply.removeHeader('connection')
    return payload
  })
  app.addHook('onResponse', async (request) => drain(request.raw))
}

/** Discards the rest of a body after its answer, and ends the connection when that takes long. */
function drain(raw: IncomingMessage): void {
  if (!hasBody(raw) || raw.complete || raw.destroyed) return
  const timer = setTimeout(() => {
    if (!raw.complete) raw.destroy()
  }, drainMsMax)
  raw.once('end', () => clearTimeout(timer))
  raw.once('close', () => clearTimeout(timer))
  raw.resume()
}

function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers
  return length !== '0' || coding !== undefined
}

function expectsContinue({ headers, httpVersionMinor }: IncomingMessage): boolean {
  return httpVersionMinor >= 1 && /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect ?? '')
}
