/** The values of one name in a Cookie header, in order: two values mean that one was planted. */
export function readCookie(header: string | undefined, name: string): string[] {
  if (!header) return []
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
}

export interface CookieOptions {
  readonly secure: boolean
  readonly httpOnly: boolean
  /** Seconds; 0 removes the cookie. */
  readonly maxAgeS: number
}

/** A Set-Cookie value: Path=/, SameSite=Lax, no Domain. */
export function formatCookie(name: string, value: string, options: CookieOptions): string {
  return [
    `${name}=${value}`,
    'Path=/',
    'SameSite=Lax',
    `Max-Age=${options.maxAgeS}`,
    ...(options.httpOnly ? ['HttpOnly'] : []),
    ...(options.secure ? ['Secure'] : []),
  ].join('; ')
}
