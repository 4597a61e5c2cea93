/* The messages between processes of this platform: JSON, with integers that a double cannot represent. */

/**
 * The version of the messages between nodes. Raise it if nodes with the former number cannot read the messages, or are
 * not understood. A new question, topic or field needs no new number, because older nodes ignore it.
 */
export const wireVersion = 2

const integerKey = '$integer'

/** A message of any of the platform's types as bytes. Undefined becomes null at the top, and is left out below. */
export function encodeWire(message: unknown): string {
  return JSON.stringify(message ?? null, (_key, value: unknown) =>
    typeof value === 'bigint' ? { [integerKey]: value.toString() } : value,
  )
}

/**
 * The message in bytes that a process sent.
 * @throws SyntaxError if another program uses the subjects of the platform
 */
export function decodeWire(text: string): unknown {
  // Most messages contain no such integer, and a reviver triples the time of a parse.
  if (!text.includes(integerKey)) return JSON.parse(text)
  return JSON.parse(text, (_key, value: unknown) => {
    const digits = (value as { [integerKey]?: unknown } | null)?.[integerKey]
    return typeof digits === 'string' ? BigInt(digits) : value
  })
}
