import { chooseLang, type Lang, languages } from '@busbar/contract'
import { useSyncExternalStore } from 'react'
import type { Text } from './text.ts'
import { onZoneChanged } from './zone.ts'

/**
 * The sign-in, the way to an account, and everything behind a session: each has the texts of the one before
 * it. A page outside these, which needs neither a session nor the sign-in, provides its own.
 */
type Bundle = 'beside' | 'outside' | 'joining' | 'inside'
type TextLoaders = Record<Lang, () => Promise<Partial<Text>>>

// The sign-in waits for its own texts only; the screens before a session do not use the others.
const loaders: { beside?: TextLoaders } & Record<Exclude<Bundle, 'beside'>, TextLoaders> = {
  outside: {
    cn: () => import('./cn/outside.ts').then((module) => module.outside),
    en: () => import('./en/outside.ts').then((module) => module.outside),
  },
  joining: {
    cn: () => import('./cn/start.ts').then((module) => module.start),
    en: () => import('./en/start.ts').then((module) => module.start),
  },
  inside: {
    cn: () => import('./cn/index.ts').then((module) => module.cn),
    en: () => import('./en/index.ts').then((module) => module.en),
  },
}

interface Spoken {
  readonly lang: Lang
  readonly bundle: Bundle
  readonly text: Text
}

let spoken: Spoken | undefined
const listeners = new Set<() => void>()

function current(): Spoken {
  if (!spoken) throw new Error('loadLanguage must have ended before a text is used')
  return spoken
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

onZoneChanged(() => {
  if (!spoken) return
  // Components contain times, so they are drawn again after a change of the zone.
  spoken = { ...spoken }
  for (const listener of listeners) listener()
})

/** Loads one dictionary and speaks it from then on; the other is never fetched. */
export async function loadLanguage(lang: Lang, bundle: Bundle): Promise<void> {
  const text = (await (loaders[bundle] ?? loaders.outside)[lang]()) as Text
  if (spoken?.lang === lang && spoken.bundle === bundle) return
  spoken = { lang, bundle, text }
  document.documentElement.lang = lang === 'cn' ? 'zh-CN' : 'en'
  for (const listener of listeners) listener()
}

/** Speaks another language, in the texts of where the person is. */
export const changeLanguage = (lang: Lang): Promise<void> => loadLanguage(lang, spoken?.bundle ?? 'inside')

/** Loads the texts of a page beside the bundles, which the page's own file names. */
export function loadTextsBeside(lang: Lang, texts: TextLoaders): Promise<void> {
  loaders.beside = texts
  return loadLanguage(lang, 'beside')
}

/** Adds the texts of registration and recovery to those of the sign-in, if they are missing. */
export async function loadJoiningTexts(): Promise<void> {
  if (current().bundle === 'outside') await loadLanguage(current().lang, 'joining')
}

/** The current language, outside of components. */
export function getLang(): Lang {
  return spoken?.lang ?? 'cn'
}

/** The texts of the current language, outside of components. */
export function getText(): Text {
  return current().text
}

/** The texts; the component renders again when the language changes. */
export function useText(): Text {
  return useSyncExternalStore(subscribe, current).text
}

export function useLang(): Lang {
  return useSyncExternalStore(subscribe, current).lang
}

/** `?lang=` wins, then an earlier choice here, then the browser's languages, then Chinese. */
export function requestedLang(search: string, remembered: string | undefined): Lang {
  const asked = new URLSearchParams(search).get('lang') ?? undefined
  return chooseLang(isLang(asked) ? asked : remembered, navigator.languages.join(','))
}

export function isLang(value: unknown): value is Lang {
  return languages.some((lang) => lang === value)
}
