import { isReachable, probeNow } from './reachability.ts'

/** Set in this tab's storage from the reload of the page until the part has loaded. */
const storageKey = 'busbar.reloadedForPart'

/**
 * Loads a part that the whole page needs. An update removes its file under an open page, and some browsers
 * never retry a failed import: if the platform answers, the page is reloaded, once per part. The caller tries
 * again after its own pause.
 */
export async function loadOrReload<Part>(
  load: () => Promise<Part>,
  reload = () => location.reload(),
): Promise<Part> {
  let part: Part
  try {
    part = await load()
  } catch (error) {
    await probeNow()
    if (isReachable() && takeReload()) reload()
    throw error
  }
  try {
    sessionStorage.removeItem(storageKey)
  } catch {
    // Without storage, nothing was kept either.
  }
  return part
}

/**
 * False if the page was already reloaded, or if that could not be remembered: reloading must not repeat
 * endlessly.
 */
function takeReload(): boolean {
  try {
    if (sessionStorage.getItem(storageKey) !== null) return false
    sessionStorage.setItem(storageKey, '1')
    return true
  } catch {
    return false
  }
}
