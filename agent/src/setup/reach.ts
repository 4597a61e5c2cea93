import { connect as connectTls } from 'node:tls'
import { WebSocket } from 'ws'
import { errorReason } from '../log.ts'
import type { SetupTexts } from './setup-texts.ts'

const connectMsMax = 10_000
/** Certificates and signatures tolerate less than this. */
const clockMinutesMax = 5

/** Why the setup cannot go on, in a sentence for the person at the computer. */
export class SetupFailure extends Error {}

/**
 * Posts without fields; answers the platform's envelope. Throws `SetupFailure` that says which address cannot be reached, why, and what has to be opened.
 */
export async function post(url: string, texts: SetupTexts): Promise<object> {
  let response: Response
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': texts.lang },
      body: '{}',
      signal: AbortSignal.timeout(connectMsMax),
    })
  } catch (error) {
    throw await explain(new URL(url), error, texts)
  }
  const body: unknown = await response.json().catch(() => null)
  // A page of the network on the way answers with HTML, or with a redirect to it.
  if (typeof body !== 'object' || body === null || !('hwcode' in body))
    throw new SetupFailure(texts.noAnswer(new URL(url).host))
  return body
}

/** Checks that a WebSocket can be opened to where the agent sends values. Throws `SetupFailure`. */
export function requireWebSocket(address: string, protocol: string, texts: SetupTexts): Promise<void> {
  const url = new URL(address)
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address, protocol, { handshakeTimeout: connectMsMax })
    socket.on('open', () => {
      socket.terminate()
      resolve()
    })
    socket.on('unexpected-response', (request, response) => {
      request.destroy()
      const why = texts.upgrade(`HTTP ${response.statusCode}`)
      reject(new SetupFailure(texts.unreachable(addressOf(url), why)))
    })
    socket.on('error', (error) => void explain(url, error, texts).then(reject))
  })
}

const portOf = (url: URL): string => url.port || (/^(?:https|wss):$/.test(url.protocol) ? '443' : '80')
const addressOf = (url: URL): string => `${url.hostname}:${portOf(url)}`

async function explain(url: URL, error: unknown, texts: SetupTexts): Promise<SetupFailure> {
  const address = addressOf(url)
  const code = codeOf(error)
  const why = async (): Promise<string> => {
    if (['ENOTFOUND', 'EAI_AGAIN', 'ENODATA'].includes(code)) return texts.noName(url.hostname)
    if (code === 'ECONNREFUSED') return texts.closed(portOf(url))
    if (/^(?:CERT_|ERR_TLS|UNABLE_|SELF_SIGNED|DEPTH_ZERO)/.test(code))
      return explainCertificate(url, code, texts)
    return /TIMEOUT|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ECONNRESET/.test(code) ? texts.noWay(address) : code
  }
  const proxy = process.env.HTTPS_PROXY ?? process.env.https_proxy
  const sentences = [texts.unreachable(address, await why()), ...(proxy ? [texts.proxy(hostOf(proxy))] : [])]
  return new SetupFailure(sentences.join('\n'))
}

/** The code of an error, or of the one behind it: `fetch` hides the errors of its sockets. */
function codeOf(error: unknown): string {
  const { cause, name, code } = error as { cause?: unknown; name?: unknown; code?: unknown }
  if (name === 'TimeoutError') return 'ETIMEDOUT'
  if (typeof code === 'string') return code
  if (cause === undefined) return /timed out/i.test(String(error)) ? 'ETIMEDOUT' : errorReason(error)
  // One for each address that was tried.
  return codeOf(cause instanceof AggregateError ? cause.errors[0] : cause)
}

/** Without what a proxy's address may hold of a password. */
const hostOf = (proxy: string): string => (URL.canParse(proxy) ? new URL(proxy).host : '…')

/** Names the issuer of the certificate, or the clock: one that is off makes a good certificate wrong. */
function explainCertificate(url: URL, code: string, texts: SetupTexts): Promise<string> {
  return new Promise((resolve) => {
    const socket = connectTls({
      host: url.hostname,
      port: Number(portOf(url)),
      servername: url.hostname,
      // Looked at, and nothing is sent over it.
      rejectUnauthorized: false,
      timeout: connectMsMax,
    })
    const end = (issuer: string, validFrom?: string): void => {
      socket.destroy()
      const aheadMinutes = validFrom ? Math.round((Date.parse(validFrom) - Date.now()) / 60_000) : 0
      const isClock = code === 'CERT_NOT_YET_VALID' && aheadMinutes > clockMinutesMax
      resolve(isClock ? texts.clock(aheadMinutes) : texts.certificate(issuer, code))
    }
    socket.on('secureConnect', () => {
      const { issuer, valid_from } = socket.getPeerCertificate()
      end(String(issuer?.O ?? issuer?.CN ?? '?'), valid_from)
    })
    for (const event of ['error', 'timeout'] as const) socket.on(event, () => end('?'))
  })
}
