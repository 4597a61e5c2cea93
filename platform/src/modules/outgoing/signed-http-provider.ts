import { createHmac, randomUUID } from 'node:crypto'
import { MessageRefused, type Provider, type Sms } from './message.ts'

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

/** Sends SMS by signed HTTP. What the service says about the message itself is a refusal. */
export function openSignedHttp(service: SignedHttpService): Provider<Sms> {
  return {
    async send(sms) {
      const query = signQuery(parametersOf(service, sms, new Date()), service.secret, 'POST')
      const response = await fetch(service.url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: query,
        redirect: 'error',
        signal: AbortSignal.timeout(answerMsMax),
      })
      checkAnswer(response.status, await response.text())
    },
    async close() {},
  }
}

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
    TemplateCode: isNotice ? service.noticeTemplate : service.template,
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

function checkAnswer(status: number, body: string): void {
  const code = readCode(body)
  if (code === 'OK') return
  const reason = `the SMS service answered ${status} ${code}`
  // `isv.` is about this message or this customer, except the limits, which pass.
  if (code.startsWith('isv.') && !code.includes('LIMIT')) throw new MessageRefused(reason)
  throw new Error(reason)
}

function readCode(body: string): string {
  try {
    const { Code } = JSON.parse(body) as { Code?: unknown }
    return typeof Code === 'string' ? Code.slice(0, 80) : ''
  } catch {
    return ''
  }
}
