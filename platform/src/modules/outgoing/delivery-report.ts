import type { QuotedMail } from './message-id.ts'

/** A mail system's report about an e-mail of ours. */
export interface DeliveryReport extends QuotedMail {
  readonly delivery: 'failed' | 'delivered'
}

/** A part of a mail: its fields by their names in small letters, and its body. */
interface Part {
  readonly fields: ReadonlyMap<string, string>
  readonly body: string
}

/** A delivery report has three. */
const partsMax = 10

/**
 * The delivery report (RFC 3464) that a mail is: a `multipart/report` whose second part tells that the message failed or was
 * delivered, and whose third part is the message or its head. Undefined of replies, answers of absent people and notices of
 * a delay (rules/messages.md: sending).
 */
export function readDeliveryReport(mail: string): DeliveryReport | undefined {
  const { fields, body } = readPart(mail.replace(/\r\n?/g, '\n'))
  const type = fields.get('content-type') ?? ''
  if (!/^multipart\/report\b/i.test(type) || !/delivery-status/i.test(parameterOf(type, 'report-type')))
    return undefined
  const [, status, returned] = partsOf(body, parameterOf(type, 'boundary'))
  if (!status || !returned || !/^message\/delivery-status\b/i.test(status.fields.get('content-type') ?? ''))
    return undefined
  const delivery = deliveryOf(decode(status))
  // The third part is a message, or the head of one.
  const id = readPart(decode(returned)).fields.get('message-id')
  const quoted = id?.match(/^<busbar\.(\d{1,15})\.([\w-]{22})@/)
  if (!delivery || !quoted) return undefined
  return { id: Number(quoted[1]), token: quoted[2] as string, delivery }
}

/** The result that the fields of a recipient tell; each of our e-mails has one recipient. */
function deliveryOf(status: string): DeliveryReport['delivery'] | undefined {
  const recipients = status.split(/\n\s*\n/).map((group) => readPart(group.trimStart()).fields)
  const tells = (fields: Part['fields']) => {
    const action = fields.get('action')?.toLowerCase().trim()
    if (action === undefined) return /^5\.\d+\.\d+/.test(fields.get('status') ?? '') ? 'failed' : undefined
    return action === 'failed' || action === 'delivered' ? action : undefined
  }
  const told = new Set(recipients.map(tells))
  return told.has('failed') ? 'failed' : told.has('delivered') ? 'delivered' : undefined
}

/** The fields before the first empty line, unfolded, and what follows. */
function readPart(text: string): Part {
  const end = text.indexOf('\n\n')
  const head = (end < 0 ? text : text.slice(0, end)).replace(/\n[ \t]+/g, ' ')
  const fields = new Map<string, string>()
  for (const line of head.split('\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).trim().toLowerCase()
    if (colon > 0 && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim())
  }
  return { fields, body: end < 0 ? '' : text.slice(end + 2) }
}

function partsOf(body: string, boundary: string): Part[] {
  if (boundary === '') return []
  const [, ...pieces] = `\n${body}`.split(`\n--${boundary}`, partsMax)
  const last = pieces.findIndex((piece) => piece.startsWith('--'))
  return pieces
    .slice(0, last < 0 ? undefined : last)
    .map((piece) => readPart(piece.slice(piece.indexOf('\n') + 1)))
}

/** A parameter of a field (RFC 2045, 5.1); empty where it has none. */
function parameterOf(field: string, name: string): string {
  const found = field.match(new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;]+))`, 'i'))
  return found?.[1] ?? found?.[2] ?? ''
}

function decode({ fields, body }: Part): string {
  const encoding = fields.get('content-transfer-encoding')?.toLowerCase().trim()
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('latin1').replace(/\r\n?/g, '\n')
  if (encoding !== 'quoted-printable') return body
  return body
    .replace(/=[ \t]*\n/g, '')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
