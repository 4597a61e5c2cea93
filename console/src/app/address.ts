import { fromMobileUrl, isMobileMode, toMobileUrl } from './mobile-door.ts'

/** The screen the address bar names, also behind the narrow layout's own address. */
export function readAddress(): URL {
  return fromMobileUrl(new URL(location.href))
}

/** What the address bar shows for a screen; the language of the address stays. */
export function toAddress(path: string): string {
  const url = new URL(path, location.origin)
  const lang = readAddress().searchParams.get('lang')
  if (lang && !url.searchParams.has('lang')) url.searchParams.set('lang', lang)
  const shown = isMobileMode ? toMobileUrl(url) : url
  return `${shown.pathname}${shown.search}${shown.hash}`
}

/** The sign-in, or what says that a session ran out, and where to go afterwards. */
export function signInPath(path: '/login' | '/loginTimeout', to: string | undefined): string {
  return to && to !== '/' ? `${path}?${new URLSearchParams({ to })}` : path
}
