// Receives the rows of a project: verifies every request, and prints every row once.
//
// BUSBAR_SECRET=whsec_… node receiver.ts
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'

const secret = Buffer.from((process.env.BUSBAR_SECRET ?? '').replace(/^whsec_/, ''), 'base64')
const toleranceS = 300

/** Tells by the rules of Standard Webhooks whether the platform sent this body now. */
function isGenuine(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': sentAt, 'webhook-signature': signatures } = headers
  if (!(Math.abs(Date.now() / 1000 - Number(sentAt)) <= toleranceS)) return false
  const hmac = createHmac('sha256', secret).update(`${id}.${sentAt}.`).update(body)
  const wanted = Buffer.from(`v1,${hmac.digest('base64')}`)
  // While the secret is changed there is a signature for each of the two.
  return String(signatures)
    .split(' ')
    .map((signature) => Buffer.from(signature))
    .some((signature) => signature.length === wanted.length && timingSafeEqual(signature, wanted))
}

/** The place for your own database. An answer of 2xx means that these rows are yours. */
function store(rows: unknown[]): void {
  for (const row of rows) console.log(JSON.stringify(row))
}

/** The same request comes again where an answer was lost. Your database would keep these ids with the rows. */
const received = new Set<unknown>()

const server = createServer(async (request, response) => {
  const { headers } = request
  const body = await buffer(request)
  if (!isGenuine(headers, body)) {
    response.writeHead(401).end()
    return
  }
  if (!received.has(headers['webhook-id'])) {
    const text = String(headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body)
    const isLines = headers['content-type']?.startsWith('application/x-ndjson')
    store(JSON.parse(isLines ? `[${text.trimEnd().replaceAll('\n', ',')}]` : text))
    received.add(headers['webhook-id'])
  }
  response.writeHead(204).end()
})
server.listen(Number(process.env.PORT ?? 8000), '127.0.0.1')
