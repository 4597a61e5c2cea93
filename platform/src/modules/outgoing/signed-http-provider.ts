import { createHmac, randomUUID } from 'node:crypto'
import { AnswerLost, MessageRefused, type Provider, type Sms } from './message.ts'

const answerMsMax = 15_000
const apiVersion = '2017-05-25'

/** An SMS service of Aliyun’s shape: a signed query, a template on its side, `Code: "OK"` for success. */
export interface SignedHttpService {
  readonly url: string
  readonly accessKeyId: string
  readonly secret: string
  /** The code of the template for messages with parameters, which become its own. */
  readonly template: string
  /** The same for all others; its parameter is `text`. */
  readonly noticeTemplate: string
}

/** Sends SMS by signed HTTP. An answer of the service about the message itself is a refusal. */
export function openSignedHttp(service: SignedHttpService): Provider<Sms> {
  return {
    async send(sms) {
      const query = signQuery(parametersOf(service, sms, new Date()), service.secret, 'POST')
      return readAnswer(await post(service.url, query))
    },
    async close() {},
  }
}

/** Throws AnswerLost where the service may have read the request. */
async function post(url: string, body: string): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(answerMsMax),
    })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    if (wasNeverConnected(error)) throw error
    throw new AnswerLost('the SMS service did not answer', { cause: error })
  }
}

const unconnected: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

const wasNeverConnected = (error: unknown): boolean =>
  unconnected.has((error as { cause?: { code?: unknown } }).cause?.code)

function parametersOf(service: SignedHttpService, sms: Sms, at: Date): Record<string, string> {
  const isNotice = Object.keys(sms.params).length === 0
  return {
    AccessKeyId: service.accessKeyId,
    Action: 'SendSms',
    Format: 'JSON',
    PhoneNumbers: sms.countryCode === '86' ? sms.phone : `${sms.countryCode}${sms.phone}`,
    RegionId: 'cn-hangzhou',
    SignName: sms.signature,
    SignatureMethod: 'HMAC-SHA1',
    SignatureNonce: randomUUID(),
    SignatureVersion: '1.0',
    TemplateCode: sms.template || (isNotice ? service.noticeTemplate : service.template),
    TemplateParam: JSON.stringify(isNotice ? { text: sms.text } : sms.params),
    Timestamp: at.toISOString().replace(/\.\d+Z$/, 'Z'),
    Version: apiVersion,
  }
}

/** The query with its `Signature`: HMAC-SHA1 over method, path and the sorted, encoded parameters. */
export function signQuery(
  parameters: Readonly<Record<string, string>>,
  secret: string,
  method: 'GET' | 'POST',
): string {
  const query = Object.keys(parameters)
    .sort()
    .map((name) => `${encode(name)}=${encode(parameters[name] ?? '')}`)
    .join('&')
  const signature = createHmac('sha1', `${secret}&`)
    .update(`${method}&${encode('/')}&${encode(query)}`)
    .digest('base64')
  return `Signature=${encode(signature)}&${query}`
}

/** RFC 3986: encodeURIComponent leaves `!'()*` as they are. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** The id of an accepted message. */
function readAnswer({ status, text }: { status: number; text: string }): string[] {
  const { code, id } = readBody(text)
  if (code === 'OK') return id === '' ? [] : [id]
  const reason = `the SMS service answered ${status} ${code}`
  // A gateway in front of the service answers for it, and the service may have accepted by then.
  if (code === '' && (status < 400 || status >= 500)) throw new AnswerLost(reason)
  // `isv.` is about this message or this customer, except the limits, which pass.
  if (code.startsWith('isv.') && !code.includes('LIMIT')) throw new MessageRefused(reason)
  throw new Error(reason)
}

function readBody(body: string): { code: string; id: string } {
  try {
    const { Code, BizId } = JSON.parse(body) as { Code?: unknown; BizId?: unknown }
    const textOf = (value: unknown) => (typeof value === 'string' ? value.slice(0, 80) : '')
    return { code: textOf(Code), id: textOf(BizId) }
  } catch {
    return { code: '', id: '' }
  }
}
