import '../shared/ui/fonts.css'
import '../shared/ui/tokens.gen.css'
import '../shared/ui/base.css'
import './outline.css'
import { loadLanguage, requestedLang } from '../shared/i18n/language.ts'
import { readAddress } from '../shared/session/address.ts'
import { loadBrand } from '../shared/session/brand.ts'
import { parseLinkPath } from '../shared/session/link-path.ts'
import { isExempt, isMobileMode, toMobileUrl } from '../shared/session/mobile-url.ts'
import { getPreferences } from '../shared/session/preferences.ts'
import { hasSession } from '../shared/session/session.ts'

if (isMobileMode && !isExempt(location.pathname))
  history.replaceState(history.state, '', toMobileUrl(new URL(location.href)))

void loadBrand()
// Before there is anything to press; the first picture does not wait for it.
void import('../shared/ui/kept-press.ts').then(({ keepPresses }) => keepPresses())
const address = readAddress()
// An expired session is reported even if a newer one exists, and anyone may register SCADA software;
// everything else depends on having a session.
const outside = /^\/(loginTimeout|scadaRegister)\/?$/.test(address.pathname) || !hasSession()
// Read with a session and without one.
const isApiDoc = /^\/apiDoc\/?$/.test(address.pathname)
const isDownloads = /^\/download\/?$/.test(address.pathname)
const link = parseLinkPath(address.pathname)
const preferences = getPreferences()
const lang = requestedLang(address.search, preferences.lang ?? preferences.account?.lang)

/** Not awaited here: what it loads imports the file that this module lies in, and would wait for it in turn. */
async function start(): Promise<void> {
  if (link) {
    const { startAlarmLinks } = await import('../features/alarm-links/alarm-links-root.tsx')
    await startAlarmLinks(link, lang)
  } else if (isApiDoc) {
    const { startApiDoc } = await import('../features/api-doc/api-doc-root.tsx')
    await startApiDoc(lang)
  } else if (isDownloads) {
    const { startDownloads } = await import('../features/downloads/downloads-root.tsx')
    await startDownloads(lang)
  } else {
    const language = loadLanguage(lang, outside ? 'outside' : 'inside')
    if (outside) {
      const { startOutside } = await import('./outside.tsx')
      await language
      await startOutside()
    } else {
      const { startInside } = await import('./inside.tsx')
      await language
      await startInside()
    }
  }
}

void start()
