/** A GUID as a text. */
export const guidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/**
 * Whether a text that a controller gave back is the one that was written: the blanks with which it fills a text up
 * do not count, nor does the case of a GUID, which has no meaning (RFC 9562, 4).
 */
export function isSameText(written: string, kept: string): boolean {
  const [left, right] = [written.trimEnd(), kept.trimEnd()]
  return left === right || (guidPattern.test(left) && left.toLowerCase() === right.toLowerCase())
}
