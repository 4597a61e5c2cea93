/** A file that came with an e-mail. */
export interface MailFile {
  readonly name: string
  /** Its media type. */
  readonly type: string
  readonly bytes: Buffer
}

/** An e-mail in a mailbox. */
export interface Mail {
  /** The address of the envelope. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly files: readonly MailFile[]
  readonly headers: ReadonlyMap<string, string>
  /** When it was written, by the clock of its sender. */
  readonly sentAt: number
}

/** Reads a mail with a text, an HTML part and files (RFC 5322, RFC 2046); `raw` has a character for each byte. */
export function readMail(raw: string): Mail {
  const { headers, body } = splitPart(raw)
  const parts = partsOf(headers, body)
  const of = (type: string) => parts.find((part) => part.type === type)?.bytes.toString('utf8') ?? ''
  return {
    to: headers.get('envelope-to') ?? '',
    subject: readWords(headers.get('subject') ?? ''),
    text: of('text/plain'),
    html: of('text/html'),
    files: parts.filter(({ name }) => name !== ''),
    headers,
    sentAt: Date.parse(headers.get('date') ?? ''),
  }
}

/** The parts that hold no others; those without a name are not files. */
function partsOf(headers: ReadonlyMap<string, string>, body: string): MailFile[] {
  const kind = headers.get('content-type') ?? 'text/plain'
  const boundary = /^multipart\/.*boundary="?([^";]+)"?/i.exec(kind)?.[1]
  if (boundary === undefined) {
    const type = (kind.split(';')[0] ?? '').trim().toLowerCase()
    const name = readWords(/\bname="?([^";]+)/i.exec(kind)?.[1] ?? '')
    return [{ name, type, bytes: decode(body, headers.get('content-transfer-encoding') ?? '') }]
  }
  const sections = body.split(`--${boundary}`).slice(1, -1)
  return sections.flatMap((section) => {
    const part = splitPart(section.replace(/^\r?\n/, ''))
    return partsOf(part.headers, part.body)
  })
}

function splitPart(raw: string): { headers: Map<string, string>; body: string } {
  const [, head = '', body = ''] = /^(.*?)\r?\n\r?\n(.*)$/s.exec(raw) ?? []
  const lines = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
  return { headers, body }
}

function decode(body: string, encoding: string): Buffer {
  if (encoding.toLowerCase() === 'base64') return Buffer.from(body, 'base64')
  const bytes = encoding.toLowerCase() === 'quoted-printable' ? readQuoted(body.replace(/=\r?\n/g, '')) : body
  return Buffer.from(bytes, 'latin1')
}

const readQuoted = (text: string) =>
  text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Encoded words of a header (RFC 2047), all of UTF-8. */
function readWords(value: string): string {
  const bytes = value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, how: string, text: string) =>
      how.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('latin1')
        : readQuoted(text.replaceAll('_', ' ')),
    )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
