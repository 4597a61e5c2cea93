import type { CsvWish, Lang } from '@busbar/contract'
import { createStore, useStore } from '../api/store.ts'
import type { Enterprise } from './account-queries.ts'

/**
 * Changes when what is stored means something else; a mismatch clears preferences, never the session (rules/console.md:
 * kept in the browser).
 */
const storageVersion = 'v1.0'
const versionKey = 'busbar.version'
/** Also read by public/boot.js. */
const preferencesKey = 'busbar.preferences'

export interface Preferences {
  readonly theme?: 'light' | 'dark' | 'system'
  readonly lang?: Lang
  /** Language and zone of the account used last, until the platform sends them again. */
  readonly account?: { readonly lang: Lang; readonly timeZone: string | null }
  readonly menuCollapsed?: boolean
  /** How csv files are written. */
  readonly csv?: CsvWish
  /** The base map: the id of a source, 0 the schematic one. */
  readonly mapSource?: number | undefined
  /** Row height of lists. */
  readonly rowDensity?: 'normal' | 'compact'
  /**
   * The space used last, 0 the personal one, and the list of devices opened last: 0 personal, 1 owned, 2
   * maintained.
   */
  readonly eid?: number
  readonly deviceType?: 0 | 1 | 2
  /** The menu of the last visit, drawn until its parts are loaded. */
  readonly lastMenu?: LastMenu | undefined
  /** The tab of the message centre that was looked at last. */
  readonly messageTab?: string
  /** Accounts signed in with on this browser, newest first: names only, never a password. */
  readonly accounts?: readonly RememberedAccount[]
}

interface LastMenu {
  readonly enterprise?: Enterprise
  /** An enterprise asked for access. */
  readonly hasRequests?: boolean
  /** The person has projects of their own. */
  readonly hasProjects?: boolean
}

export interface RememberedAccount {
  readonly kind: 'phone' | 'email'
  readonly name: string
  /** Only for phones. */
  readonly countryCode?: string
  /** Epoch milliseconds; 30 days later it is forgotten. */
  readonly usedAt: number
}

function load(): Preferences {
  try {
    if (localStorage.getItem(versionKey) !== storageVersion) {
      localStorage.removeItem(preferencesKey)
      localStorage.setItem(versionKey, storageVersion)
    }
    const stored: unknown = JSON.parse(localStorage.getItem(preferencesKey) ?? '{}')
    return typeof stored === 'object' && stored !== null ? stored : {}
  } catch {
    // A browser without storage still works; it only forgets.
    return {}
  }
}

const preferences = createStore(load())

/** Keeps a part of the menu for the next visit. */
export function keepMenu(part: Preferences['lastMenu']): void {
  updatePreferences({ lastMenu: { ...getPreferences().lastMenu, ...part } })
}

/** Preferences that all tabs of this browser share; the address stays each tab's own. */
type Shared = Pick<Preferences, 'theme' | 'lang'>

/** Runs after another tab chose a theme or a language. */
export function onChosenElsewhere(listener: (chosen: Shared) => void): void {
  // Missing in tests without a browser.
  globalThis.addEventListener?.('storage', ({ key }) => {
    if (key !== preferencesKey) return
    const { theme, lang } = load()
    const chosen = { ...(theme ? { theme } : {}), ...(lang ? { lang } : {}) }
    preferences.set({ ...preferences.get(), ...chosen })
    listener(chosen)
  })
}

export function getPreferences(): Preferences {
  return preferences.get()
}

export function usePreferences(): Preferences {
  return useStore(preferences)
}

export function updatePreferences(change: Preferences): void {
  preferences.set({ ...preferences.get(), ...change })
  try {
    localStorage.setItem(preferencesKey, JSON.stringify(preferences.get()))
  } catch {
    // Full or forbidden storage: it holds until the page is closed.
  }
}
