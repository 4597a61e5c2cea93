/** Names whose values are never written down, wherever they stand. */
const secretName =
  /^(?:.*(?:password|passwd|secret|token|authorization|cookie|credential)s?|pass|pwd|sid|ticket|apikey|privatekey|hash|captcha|body|payload|head|rawpacket)$/
const hidden = '[hidden]'
const depthMax = 5
const itemsMax = 50
const textCharactersMax = 4_000
const causesMax = 3

/** The fields of an error beside its message. Not PostgreSQL's detail and context: they quote rows. */
const errorFields = [
  'code',
  'errno',
  'syscall',
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
  'routine',
]

/**
 * A log line's fields without secrets: values under a secret's name, credentials and queries in texts, bytes, and
 * details of errors. The second line of defence: callers must not log secrets in the first place
 * (rules/calls.md: secrets in logs).
 */
export function redactFields(fields: object): Record<string, unknown> {
  return redactObject(fields, 0)
}

/** Tokens in the path: of links in mails with the calls that their pages make, and of setup links. */
const linkToken =
  /(\/(?:alarm\/link|(?:alarm\/)?unsubscribe|contact(?:\/confirm)?|setup)\/)(?!confirm\/)[^\s/?#"']+/gi

/** A text without credentials, and without the queries of addresses. */
export function redactText(text: string): string {
  return text
    .slice(0, textCharactersMax)
    .replace(/\b(basic|bearer)\s+[\w.~+/=-]+/gi, `$1 ${hidden}`)
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi, `$1${hidden}@`)
    .replace(linkToken, `$1${hidden}`)
    .replace(/((?:[a-z][a-z0-9+.-]*:\/)?\/[^\s?"']*)\?[^\s"']*/gi, `$1?${hidden}`)
    .replace(
      /\b((?:\w*(?:password|secret|token)|sid|ticket|cookie)["']?\s*[=:]\s*)(["']?)[^\s"',;&]+/gi,
      `$1$2${hidden}`,
    )
}

function redactObject(object: object, depth: number): Record<string, unknown> {
  const clean: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(object).slice(0, itemsMax)) {
    clean[name] = secretName.test(name.toLowerCase().replaceAll(/[_-]/g, ''))
      ? hide(value)
      : redact(value, depth)
  }
  return clean
}

/** The presence of a value is worth knowing. */
const hide = (value: unknown): unknown => (value === undefined || value === null ? value : hidden)

function redact(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Error) return redactError(value, 0)
  if (value instanceof Date) return value
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`
  if (depth >= depthMax) return '[deep]'
  if (Array.isArray(value)) return value.slice(0, itemsMax).map((item) => redact(item, depth + 1))
  return redactObject(value, depth + 1)
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  const message = redactErrorText(error, error.message)
  const clean: Record<string, unknown> = { type: error.name, message }
  for (const name of errorFields) {
    const value = (error as unknown as Record<string, unknown>)[name]
    if (typeof value === 'string' || typeof value === 'number') clean[name] = value
  }
  // The frames only: the text before them is the message.
  clean.stack = error.stack?.slice(error.stack.indexOf('\n    at ') + 1) ?? ''
  if (error.cause instanceof Error && depth < causesMax) clean.cause = redactError(error.cause, depth + 1)
  return clean
}

/** PostgreSQL quotes a value it refuses (class 22 and 23), Zod and JSON.parse quote their input. */
function redactErrorText(error: Error, text: string): string {
  const code = (error as { code?: unknown }).code
  const quotesValues = typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code)
  const isSyntax = error instanceof SyntaxError
  return quotesValues || isSyntax ? redactText(text).replace(/"[^"]*"?/g, '"…"') : redactText(text)
}
