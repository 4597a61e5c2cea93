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
// A session that ran out is told even where a newer one exists; everything else depends on having one.
const outside = address.pathname === '/loginTimeout' || !hasSession()
const lang = wishedLang(address.search, getPreferences().lang)
const language = loadLanguage(lang, outside ? 'outside' : 'inside')
if (outside) {
  const { startOutside } = await import('./app/outside.tsx')
  await language
  startOutside()
} else {
  const { startInside } = await import('./app/inside.tsx')
  await language
  await startInside()
}
