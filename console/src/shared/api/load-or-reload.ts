import { isReachable, probeNow } from './reachability.ts'

/** In this tab's storage while the page was loaded anew and the part is still not there. */
const storageKey = 'busbar.reloadedForPart'

/**
 * Loads a part that the whole page needs. An update takes its file away under a page that is open, and some browsers
 * never ask again for an import that failed: where the platform answers, the page is loaded anew, once until the part
 * was had. The caller tries again after its own pause.
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
