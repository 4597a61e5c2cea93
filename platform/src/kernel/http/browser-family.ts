/** The programs that a log of sign-ins distinguishes. */
export const browserFamilies = [
  'WeChat',
  'Edge',
  'Opera',
  'Samsung Internet',
  'Firefox',
  'Chrome',
  'Safari',
  'curl',
  'Node.js',
  'Python',
  'other',
] as const
export type BrowserFamily = (typeof browserFamilies)[number]

/** The first that matches: most call themselves Chrome and Safari as well. */
const signs: readonly (readonly [BrowserFamily, RegExp])[] = [
  ['WeChat', /MicroMessenger\//],
  ['Edge', /Edg(e|A|iOS)?\//],
  ['Opera', /(OPR|Opera)\//],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|Chromium|CriOS)\//],
  ['Safari', /Version\/[\d.]+ .*Safari\//],
  ['curl', /^curl\//],
  ['Node.js', /^(node|undici)\b/i],
  ['Python', /^python/i],
]
const userAgentMax = 512

/** The browser family of a user agent, from a closed list, so that no text of the caller gets through. */
export function browserFamilyOf(userAgent: string | undefined): BrowserFamily {
  const text = userAgent?.slice(0, userAgentMax) ?? ''
  return signs.find(([, sign]) => sign.test(text))?.[0] ?? 'other'
}
