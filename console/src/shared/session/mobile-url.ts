import { mobileAgents, type TerminalType, terminalTypes, tvAgents } from '@busbar/contract'
import { parseLinkPath } from './link-path.ts'
import { parseOwnPath } from './own-path.ts'

/** The narrow layout's address; `to` has the address of the open page. */
const mobilePath = '/mobile'

/** Screens that a phone opens as they are (rules/console.md: phones and tv boxes). */
const exemptPaths = [/^\/scadaRegister\/?$/, /^\/topup\//, /^\/qr\//]

export interface Browser {
  readonly userAgent: string
  readonly maxTouchPoints: number
}

/** TV boxes get the wide layout without its menu. */
export function isTvBox(browser: Browser, search: string): boolean {
  return tvAgents.test(browser.userAgent) || new URLSearchParams(search).get('client') === 'tv'
}

/** Phones and tablets; an iPad calls itself a Macintosh, but no Macintosh has a touch screen. */
export function isMobileBrowser(browser: Browser): boolean {
  return (
    mobileAgents.test(browser.userAgent) ||
    (/Macintosh/.test(browser.userAgent) && browser.maxTouchPoints > 1)
  )
}

/** The kind of device that this browser runs on, as a sign-in reports it. */
export function terminalTypeOfBrowser(browser: Browser, search: string): TerminalType {
  if (isTvBox(browser, search)) return terminalTypes.tv
  return isMobileBrowser(browser) ? terminalTypes.app : terminalTypes.pc
}

/** The narrow layout's address of a screen: `/index/?machine=5` → `/mobile?to=%2Findex%2F%3Fmachine%3D5`. */
export function toMobileUrl(url: URL): URL {
  if (isMobilePath(url.pathname) || isExempt(url.pathname)) return url
  const inner = new URL(url)
  const outer = new URL(mobilePath, url)
  const lang = inner.searchParams.get('lang')
  inner.searchParams.delete('lang')
  outer.searchParams.set('to', `${inner.pathname}${inner.search}`)
  if (lang) outer.searchParams.set('lang', lang)
  outer.hash = inner.hash
  return outer
}

/** The screen behind an address of the narrow layout; other addresses stay as they are. */
export function fromMobileUrl(url: URL): URL {
  if (!isMobilePath(url.pathname)) return url
  const inner = new URL(parseOwnPath(url.searchParams.get('to')) ?? '/', url.origin)
  const lang = url.searchParams.get('lang')
  if (lang) inner.searchParams.set('lang', lang)
  inner.hash = url.hash
  return inner
}

export function isExempt(pathname: string): boolean {
  return parseLinkPath(pathname) !== undefined || exemptPaths.some((path) => path.test(pathname))
}

function isMobilePath(pathname: string): boolean {
  return pathname === mobilePath || pathname === `${mobilePath}/`
}

const here = globalThis.location as Location | undefined

/** Whether this tab shows the narrow layout under its own address. Decided once: a tab does not change devices. */
export const isMobileMode =
  here !== undefined &&
  (isMobilePath(here.pathname) || (isMobileBrowser(navigator) && !isTvBox(navigator, here.search)))
