import type { Lang } from '@busbar/contract'
import { changeLanguage, getLang, getText } from '../i18n/language.ts'
import { showToast } from '../ui/toast/toast-store.ts'
import { readAddress, toAddress } from './address.ts'
import { onChosenElsewhere, updatePreferences } from './preferences.ts'

const languageListeners = new Set<() => void>()

/** Runs after a change of language: answers in the old language have to be reloaded. */
export function onLanguageSwitched(listener: () => void): () => void {
  languageListeners.add(listener)
  return () => languageListeners.delete(listener)
}

// A tab whose address names a language keeps it.
onChosenElsewhere(({ lang }) => {
  if (lang && lang !== getLang() && !readAddress().searchParams.has('lang'))
    adoptLanguage(lang).catch(() => {})
})

/** Switches to the other language, on this browser. An address that names a language is changed too. */
export async function switchLanguage(lang: Lang): Promise<void> {
  try {
    await changeLanguage(lang)
  } catch {
    showToast(getText().notices.unreachable, 'failure')
    return
  }
  updatePreferences({ lang })
  const address = readAddress()
  if (address.searchParams.has('lang')) {
    address.searchParams.set('lang', lang)
    history.replaceState(history.state, '', toAddress(`${address.pathname}${address.search}`))
  }
  for (const listener of languageListeners) listener()
}

/** Switches to the account's language without storing it as chosen on this browser. */
export async function adoptLanguage(lang: Lang): Promise<void> {
  await changeLanguage(lang)
  for (const listener of languageListeners) listener()
}
