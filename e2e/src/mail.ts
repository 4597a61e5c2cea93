/** An e-mail as it lies in a mailbox. */
export interface Mail {
  /** The address of the envelope. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly headers: ReadonlyMap<string, string>
  /** When it was written, by the clock of its sender. */
  readonly sentAt: number
}

/** Reads a mail with a text and an HTML part (RFC 5322, RFC 2046); `raw` has a character for each byte. */
export function readMail(raw: string): Mail {
  const { headers, body } = splitPart(raw)
  const parts = partsOf(headers, body)
  const of = (type: string) => parts.find((part) => part.type === type)?.text ?? ''
  return {
    to: headers.get('envelope-to') ?? '',
    subject: readWords(headers.get('subject') ?? ''),
    text: of('text/plain'),
    html: of('text/html'),
    headers,
    sentAt: Date.parse(headers.get('date') ?? ''),
  }
}

function partsOf(headers: ReadonlyMap<string, string>, body: string): { type: string; text: string }[] {
  const kind = headers.get('content-type') ?? 'text/plain'
  const boundary = /^multipart\/.*boundary="?([^";]+)"?/i.exec(kind)?.[1]
  if (boundary === undefined) {
    const type = (kind.split(';')[0] ?? '').trim().toLowerCase()
    return [{ type, text: decode(body, headers.get('content-transfer-encoding') ?? '') }]
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

function decode(body: string, encoding: string): string {
  if (encoding.toLowerCase() === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  const bytes = encoding.toLowerCase() === 'quoted-printable' ? readQuoted(body.replace(/=\r?\n/g, '')) : body
  return Buffer.from(bytes, 'latin1').toString('utf8')
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
