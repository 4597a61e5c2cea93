import { createStore } from '../api/store.ts'
import {
  lastingParameters,
  type OutsidePath,
  outsidePaths,
  readAddress,
  signInPath,
  toAddress,
} from './address.ts'
import { parseOwnPath } from './own-path.ts'

export type { OutsidePath }

/** Without a session every address shows the sign-in, which leads back to the wanted page. */
function settle(): URL {
  const address = readAddress()
  address.pathname = address.pathname.replace(/\/$/, '') || '/'
  if (outsidePaths.some((path) => path === address.pathname)) return address
  const wanted = new URL(address)
  for (const name of lastingParameters) wanted.searchParams.delete(name)
  const to = `${readAddress().pathname}${wanted.search}`
  history.replaceState(history.state, '', toAddress(signInPath('/login', to)))
  return readAddress()
}

/** The open one of the screens before the session. */
export const outsideAddress = createStore(settle())

window.addEventListener('popstate', () => outsideAddress.set(settle()))

/** Goes to another screen before the session and keeps the wanted page. */
export function goOutside(path: OutsidePath, { replace = false } = {}): void {
  const address = toAddress(signInPath(path, wantedPath()))
  if (replace) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
  outsideAddress.set(settle())
}

/** The path to open after the sign-in, if the address names one. */
export function wantedPath(): string | undefined {
  return parseOwnPath(outsideAddress.get().searchParams.get('to'))
}
