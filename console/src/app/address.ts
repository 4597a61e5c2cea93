import { fromMobileUrl, isMobileMode, toMobileUrl } from './mobile-door.ts'
import { parseOwnPath } from './own-path.ts'

/** The screens before a session. */
export const outsidePaths = [
  '/login',
  '/loginTimeout',
  '/register',
  '/registerByEmail',
  '/forgetPwd',
  '/main',
  '/scadaRegister',
] as const
export type OutsidePath = (typeof outsidePaths)[number]

/** The screen the address bar names, also behind the narrow layout's own address. */
export function readAddress(): URL {
  return fromMobileUrl(new URL(location.href))
}

/** What the address bar shows for a screen, for home where the path leads away; the language of the address stays. */
export function toAddress(path: string): string {
  const url = new URL(parseOwnPath(path) ?? '/', location.origin)
  const lang = readAddress().searchParams.get('lang')
  if (lang && !url.searchParams.has('lang')) url.searchParams.set('lang', lang)
  const shown = isMobileMode ? toMobileUrl(url) : url
  return `${shown.pathname}${shown.search}${shown.hash}`
}

/** A screen before the session, and where to go after it. */
export function signInPath(path: OutsidePath, to: string | undefined): string {
  return to && to !== '/' ? `${path}?${new URLSearchParams({ to })}` : path
}
