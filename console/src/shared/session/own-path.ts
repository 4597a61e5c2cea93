/** Any host serves: the check is whether an address stays on it. */
const base = 'http://console.invalid'
const ownPathMax = 4000
/** A second slash leads to another site, and so does a character that browsers or people read as a slash. */
const leadsAway = /^\/[/\\\u2044\u2215\u29f8\uff0f\uff3c]/
/** Browsers drop some of these characters from an address and read the rest. */
const hidden = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u

/**
 * The path of this console that a text names, with its search and hash, as a browser would open it; undefined for an
 * address of another site. Use the answer and never the text, because a browser may read the text differently.
 */
export function parseOwnPath(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > ownPathMax) return undefined
  if (!value.startsWith('/') || leadsAway.test(value) || hidden.test(value)) return undefined
  const [path = ''] = value.split(/[?#]/, 1)
  if (path.includes('\\') || !value.isWellFormed()) return undefined
  const url = URL.parse(value, base)
  // `/.//host` and `/x/..//host` come out as `//host`.
  if (!url || url.origin !== base || url.username || url.pathname.startsWith('//')) return undefined
  return `${url.pathname}${url.search}${url.hash}`
}
