/* The messages between processes: JSON, with integers beyond a double. Both ends are of this platform. */

/**
 * The version of the messages between nodes. A number more means that nodes with a smaller one cannot read them, or are
 * not understood; a question, a topic or a field that is new needs none, because who does not know it leaves it out.
 */
export const wireVersion = 1

const integerKey = '$integer'

/** A message of any of the platform's types as bytes. Undefined becomes null at the top, and is left out below. */
export function encodeWire(message: unknown): string {
  return JSON.stringify(message ?? null, (_key, value: unknown) =>
    typeof value === 'bigint' ? { [integerKey]: value.toString() } : value,
  )
}

/**
 * The message in bytes that a process sent.
 * @throws SyntaxError where another program uses the subjects of the platform
 */
export function decodeWire(text: string): unknown {
  // Most messages contain no such integer, and a reviver triples the time of a parse.
  if (!text.includes(integerKey)) return JSON.parse(text)
  return JSON.parse(text, (_key, value: unknown) => {
    const digits = (value as { [integerKey]?: unknown } | null)?.[integerKey]
    return typeof digits === 'string' ? BigInt(digits) : value
  })
}
