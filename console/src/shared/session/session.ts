import { updatePreferences } from './preferences.ts'

/**
 * Scripts cannot read the session's own cookie; this one with the same lifetime shows whether there is a
 * session.
 */
const cookieName = 'loggedIn'
const terminalKey = 'busbar.terminal'

export function hasSession(): boolean {
  return document.cookie.split('; ').some((cookie) => cookie === `${cookieName}=1`)
}

/** Forgets the session, so that the next screen is the sign-in. */
export function forgetSession(): void {
  updatePreferences({ lastMenu: undefined })
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing without https
  document.cookie = `${cookieName}=; Path=/; Max-Age=0; SameSite=Lax`
}

let terminal: string | undefined

/** This browser's own id: the same terminal signing in again replaces its session. */
export function getTerminalId(): string {
  terminal ??= storedTerminalId()
  return terminal
}

function storedTerminalId(): string {
  // randomUUID is missing without https.
  const fresh = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  try {
    const stored = localStorage.getItem(terminalKey)
    if (stored) return stored
    localStorage.setItem(terminalKey, fresh)
  } catch {
    // Without storage each page counts as a separate terminal.
  }
  return fresh
}

/** How the list of terminals names this browser: "Chrome 130" and "Windows". */
export function describeTerminal(userAgent = navigator.userAgent): { name: string; os: string } {
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))
  const version = browser && userAgent.match(browser[0])?.[1]
  const os = systems.find(([pattern]) => pattern.test(userAgent))?.[1] ?? ''
  const name = browser ? [browser[1], version].filter(Boolean).join(' ') : 'Browser'
  return { name: os ? `${name} · ${os}` : name, os }
}

/** In this order: most browsers also name those they descend from. */
const browsers = [
  [/MicroMessenger\/(\d+)/, 'WeChat'],
  [/Edg(?:A|iOS)?\/(\d+)/, 'Edge'],
  [/OPR\/(\d+)/, 'Opera'],
  [/Firefox\/(\d+)/, 'Firefox'],
  [/FxiOS\/(\d+)/, 'Firefox'],
  [/CriOS\/(\d+)/, 'Chrome'],
  [/Chrome\/(\d+)/, 'Chrome'],
  [/Version\/(\d+).*Safari/, 'Safari'],
] as const

const systems = [
  [/HarmonyOS/, 'HarmonyOS'],
  [/Android/, 'Android'],
  [/iPhone|iPad|iPod/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const
