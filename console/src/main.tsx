import './ui/fonts.css'
import './ui/tokens.gen.css'
import './ui/base.css'
import { readAddress } from './app/address.ts'
import { loadBrand } from './app/brand.ts'
import { isExempt, isMobileMode, toMobileUrl } from './app/mobile-door.ts'
import { getPreferences } from './app/preferences.ts'
import { hasSession } from './app/session.ts'
import { loadLanguage, wishedLang } from './i18n/language.ts'

if (isMobileMode && !isExempt(location.pathname))
  history.replaceState(history.state, '', toMobileUrl(new URL(location.href)))

void loadBrand()
const address = readAddress()
// A session that ran out is told even where a newer one exists, and anybody may register SCADA software; everything
// else depends on having a session.
const outside = /^\/(loginTimeout|scadaRegister)\/?$/.test(address.pathname) || !hasSession()
// Programmers read it with a session and without one.
const isApiDoc = /^\/apiDoc\/?$/.test(address.pathname)
const preferences = getPreferences()
const lang = wishedLang(address.search, preferences.lang ?? preferences.account?.lang)
const language = loadLanguage(lang, isApiDoc ? 'apiDoc' : outside ? 'outside' : 'inside')
if (isApiDoc) {
  const { startApiDoc } = await import('./features/api-doc/api-doc-world.tsx')
  await language
  startApiDoc()
} else if (outside) {
  const { startOutside } = await import('./app/outside.tsx')
  await language
  await startOutside()
} else {
  const { startInside } = await import('./app/inside.tsx')
  await language
  await startInside()
}
