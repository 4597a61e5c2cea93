import { fromMobileUrl, isMobileMode, toMobileUrl } from './mobile-url.ts'
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

/** The parameters that describe the visitor on every screen: their language, and whether they use a TV box. */
export const lastingParameters = ['lang', 'client'] as const

/** A path of this console with the lasting parameters of `address`; home for a path to another site. */
export function keepParameters(path: string, address = readAddress()): string {
  const url = new URL(parseOwnPath(path) ?? '/', address.origin)
  for (const name of lastingParameters) {
    const value = address.searchParams.get(name)
    if (value && !url.searchParams.has(name)) url.searchParams.set(name, value)
  }
  return `${url.pathname}${url.search}${url.hash}`
}

/** The address that the bar shows for a screen; that of home for a path to another site. */
export function toAddress(path: string): string {
  const url = new URL(keepParameters(path), location.origin)
  const shown = isMobileMode ? toMobileUrl(url) : url
  return `${shown.pathname}${shown.search}${shown.hash}`
}

/** A screen before the session, and where to go after it. */
export function signInPath(path: OutsidePath, to: string | undefined): string {
  return to && to !== '/' ? `${path}?${new URLSearchParams({ to })}` : path
}
