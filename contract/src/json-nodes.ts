/** Levels of nested lists and objects: every call needs less than a third of them. */
const depthMax = 32

const [space, quote, comma, backslash] = [0x20, 0x22, 0x2c, 0x5c]
const [bracketOpen, bracketClose, braceOpen, braceClose] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Whether a JSON text has more than `nodesMax` values, or more than 32 levels. It reads each character once and builds
 * no values, so that a hostile text costs a fraction of its parsing. An invalid JSON text may get any answer.
 */
export function isJsonTooLarge(text: string, nodesMax: number): boolean {
  let nodes = 1
  let depth = 0
  // The first value of a list or object has no comma before it, and an empty one has no values.
  let isOpened = false
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign <= space) continue
    if (sign === bracketClose || sign === braceClose) {
      depth--
      isOpened = false
      continue
    }
    if (sign === comma || isOpened) nodes++
    isOpened = sign === bracketOpen || sign === braceOpen
    if (isOpened) depth++
    if (nodes > nodesMax || depth > depthMax) return true
    if (sign === quote) at = endOfString(text, at)
  }
  return false
}

/** Where the string that begins at a quote ends. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === backslash) at++
    else if (sign === quote) return at
  }
  return text.length
}
