import { createStore } from '../api/store.ts'
import { readAddress, signInPath, toAddress } from './address.ts'
import { isOwnPath } from './search.ts'

const outsidePaths = ['/login', '/loginTimeout']

/** Everything without a session is the sign-in, which leads back to where one wanted to go. */
function settle(): URL {
  const address = readAddress()
  address.pathname = address.pathname.replace(/\/$/, '') || '/'
  if (outsidePaths.includes(address.pathname)) return address
  const wanted = new URL(address)
  wanted.searchParams.delete('lang')
  const to = `${readAddress().pathname}${wanted.search}`
  history.replaceState(history.state, '', toAddress(signInPath('/login', to)))
  return readAddress()
}

/** Which of the screens before the session is open. */
export const outsideAddress = createStore(settle())

window.addEventListener('popstate', () => outsideAddress.set(settle()))

/** Goes to another screen before the session. */
export function goOutside(path: string): void {
  history.pushState(null, '', toAddress(path))
  outsideAddress.set(settle())
}

/** Where to go after the sign-in, if the address says so. */
export function wantedPath(): string | undefined {
  const to = outsideAddress.get().searchParams.get('to')
  return isOwnPath(to) ? to : undefined
}
