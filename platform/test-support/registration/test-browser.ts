import type { Database } from '../../src/kernel/database/database.ts'

interface Envelope {
  readonly hwcode: number
  readonly hwdata?: Record<string, unknown>
  readonly error?: { readonly code: string; readonly field?: string }
}

/** A browser: it keeps the cookies it is given and sends them back. */
export class TestBrowser {
  readonly #url: string
  readonly cookies = new Map<string, string>()

  constructor(url: string) {
    this.#url = url
  }

  /** The body of an answer, whatever it is. */
  async send(method: 'GET' | 'POST' | 'PUT', path: string, fields: Record<string, unknown> = {}) {
    const query = new URLSearchParams(fields as Record<string, string>)
    const response = await fetch(`${this.#url}${path}${method === 'GET' ? `?${query}` : ''}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'accept-language': 'en',
        'sec-fetch-site': 'same-origin',
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      ...(method === 'GET' ? {} : { body: JSON.stringify(fields) }),
    })
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie)
    return { status: response.status, body: (await response.json()) as Envelope | number }
  }

  /** `OK`, or the code of the error an enveloped call ends with. */
  async ask(method: 'GET' | 'POST' | 'PUT', path: string, fields: Record<string, unknown> = {}) {
    const { body } = await this.send(method, path, fields)
    if (typeof body === 'number') throw new Error(`${path} answered the bare body ${body}`)
    return body.error?.code ?? 'OK'
  }

  #keep(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    if (/Max-Age=0/.test(cookie)) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

/** The newest kept message to a recipient. */
export async function readOutbox(db: Database, recipient: string) {
  return db
    .selectFrom('outgoing')
    .select(['kind', 'subject', 'text', 'html', 'state'])
    .where('recipient', '=', recipient)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
}

/** The code in the newest kept message to a recipient. */
export async function readCode(db: Database, recipient: string): Promise<string> {
  const { text } = await readOutbox(db, recipient)
  const code = /(?<![A-Z0-9])(?=[A-Z0-9]{4}(?![A-Z0-9]))[2-9A-HJ-NP-Z]{4}/.exec(text)?.[0]
  if (!code) throw new Error(`no code in the message to ${recipient}`)
  return code
}
