import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import { buffer, json } from 'node:stream/consumers'

/** The system that gets the rows of the demo's projects. */
export interface ReceiverPlan {
  readonly host: string
  readonly port: number
  /** Of the destinations that lead here. */
  readonly secrets: readonly string[]
  /** The address of pulls, and the projects that are pulled. */
  readonly pullUrl: string
  readonly pulls: readonly { readonly projectId: number; readonly key: string }[]
}

/** The platform sends at most 1 MiB at a time. */
const bodyBytesMax = 2 * 1024 * 1024
const toleranceS = 300
const pullEveryMs = 30_000
const pullTimeoutMs = 10_000

/**
 * Takes what destinations send, where its signature is right, and pulls other projects. It keeps nothing: a demo has no use
 * for the values but that they arrive.
 */
export async function startReceiver(plan: ReceiverPlan): Promise<{ stop(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    try {
      response.writeHead((await isGenuine(plan.secrets, request)) ? 204 : 401).end()
    } catch {
      request.destroy()
    }
  })
  server.listen(plan.port, plan.host)
  await once(server, 'listening')
  const timers = new Set(plan.pulls.map((pull) => startPulling(plan.pullUrl, pull)))
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer)
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Tells by the rules of Standard Webhooks whether the platform sent this body now. */
async function isGenuine(secrets: readonly string[], request: IncomingMessage): Promise<boolean> {
  const { 'webhook-id': id, 'webhook-timestamp': sentAt, 'webhook-signature': signatures } = request.headers
  if (!(Number(request.headers['content-length']) <= bodyBytesMax))
    throw new Error('a body without its length')
  const body = await buffer(request)
  if (!(Math.abs(Date.now() / 1_000 - Number(sentAt)) <= toleranceS)) return false
  const given = String(signatures)
    .split(' ')
    .map((signature) => Buffer.from(signature))
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const hmac = createHmac('sha256', key).update(`${id}.${sentAt}.`).update(body)
    const wanted = Buffer.from(`v1,${hmac.digest('base64')}`)
    return given.some((each) => each.length === wanted.length && timingSafeEqual(each, wanted))
  })
}

/** Pulls a project until its key is refused: somebody has changed it. */
function startPulling(url: string, pull: ReceiverPlan['pulls'][number]): NodeJS.Timeout {
  let place: Place = { cursor: '', isRefused: false }
  let isPulling = false
  const timer = setInterval(async () => {
    if (isPulling) return
    isPulling = true
    place = await pullNext(url, pull, place.cursor)
    isPulling = false
    if (place.isRefused) clearInterval(timer)
  }, pullEveryMs)
  return timer
}

/** Where the pulling of a project stands. */
interface Place {
  readonly cursor: string
  readonly isRefused: boolean
}

/** Pulls the rows after a cursor. A failure leaves it where it is: the platform may be starting again. */
export async function pullNext(
  url: string,
  { projectId, key }: ReceiverPlan['pulls'][number],
  cursor: string,
): Promise<Place> {
  const address = cursor === '' ? url : `${url}?${new URLSearchParams({ cursor })}`
  const authorization = `Basic ${Buffer.from(`${projectId}:${key}`).toString('base64')}`
  try {
    const request = get(address, { headers: { authorization }, timeout: pullTimeoutMs })
    request.on('timeout', () => request.destroy())
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    const { hwdata } = (await json(answer)) as { hwdata: { cursor?: string } | null }
    return { cursor: hwdata?.cursor ?? cursor, isRefused: answer.statusCode === 401 }
  } catch {
    return { cursor, isRefused: false }
  }
}
