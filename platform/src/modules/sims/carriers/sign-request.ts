import { createHash, createHmac } from 'node:crypto'

interface Signed {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly body?: string | undefined
  /** Signed beside `host` and `x-sdk-date`; names in small letters. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly accessKey: string
  readonly secretKey: string
  readonly now: number
}

/**
 * The headers that prove to Huawei Cloud who sends a request (support.huaweicloud.com/devg-apisign, “AK/SK”): the secret
 * key itself is never sent.
 */
export function signRequest({ method, url, body = '', headers = {}, accessKey, secretKey, now }: Signed) {
  const date = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const signed = Object.entries({ ...headers, host: url.host, 'x-sdk-date': date }).sort(byName)
  const names = signed.map(([name]) => name).join(';')
  const request = [
    method,
    `${url.pathname.replace(/\/$/, '')}/`,
    [...url.searchParams]
      .sort(byName)
      .map((pair) => pair.map(encode).join('='))
      .join('&'),
    ...signed.map(([name, value]) => `${name}:${value.trim()}`),
    '',
    names,
    hash(body),
  ].join('\n')
  const signature = createHmac('sha256', secretKey)
    .update(`SDK-HMAC-SHA256\n${date}\n${hash(request)}`)
    .digest('hex')
  return {
    'x-sdk-date': date,
    authorization: `SDK-HMAC-SHA256 Access=${accessKey}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

const byName = ([one]: readonly string[], [other]: readonly string[]): number =>
  (one ?? '') < (other ?? '') ? -1 : 1
const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
/** RFC 3986, 2.3: all but unreserved characters. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
