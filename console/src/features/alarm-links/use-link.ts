import { ApiError, type Lang } from '@busbar/contract'
import { useEffect, useState } from 'react'
import { refusalWords } from '../../shared/api/refusal-words.ts'
import { getLang, useLang } from '../../shared/i18n/language.ts'
import { readAddress } from '../../shared/session/address.ts'
import { getPreferences } from '../../shared/session/preferences.ts'
import { adoptLanguage } from '../../shared/session/switch-language.ts'
import { useAlarmLinksText } from './alarm-links-text.ts'

interface LinkCalls<T> {
  /** Changes nothing: mail scanners follow links. */
  readonly load: (signal?: AbortSignal) => Promise<T>
  /** The effect of the button. */
  readonly act: () => Promise<unknown>
}

/** A page of a link: its content, and its single button. */
export interface Link<T> {
  readonly state: 'loading' | 'shown' | 'unknown' | 'failed'
  readonly shown: T | undefined
  readonly isBusy: boolean
  /** Why the press had no effect. */
  readonly refusal: string | undefined
  retry(): void
  press(): Promise<void>
}

/** A token that a mail program cut is one that nothing can have: it is as unknown as a wrong one. */
const isUnknown = (error: unknown) =>
  error instanceof ApiError && (error.code === 'LINK_UNKNOWN' || error.code === '404')

/** Loads a link's page in the language spoken, and again after its button was pressed. */
export function useLink<T extends { readonly lang: Lang }>({ load, act }: LinkCalls<T>): Link<T> {
  const t = useAlarmLinksText()
  const lang = useLang()
  const [{ state, shown }, setLoaded] = useState<Pick<Link<T>, 'state' | 'shown'>>({
    state: 'loading',
    shown: undefined,
  })
  const [attempt, setAttempt] = useState(0)
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()

  function fail(error: unknown) {
    setLoaded({ state: isUnknown(error) ? 'unknown' : 'failed', shown: undefined })
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts of the platform have a language, and a retry asks again
  useEffect(() => {
    const ending = new AbortController()
    load(ending.signal).then(
      (answer) => {
        if (ending.signal.aborted) return
        setLoaded({ state: 'shown', shown: answer })
        speak(answer.lang)
      },
      (error: unknown) => {
        if (!ending.signal.aborted) fail(error)
      },
    )
    return () => ending.abort()
  }, [lang, attempt])

  async function press() {
    setBusy(true)
    setRefusal(undefined)
    try {
      await act()
    } catch (error) {
      if (isUnknown(error)) fail(error)
      else setRefusal((error instanceof ApiError && refusalWords(error, getLang())) || t.actFailed)
      setBusy(false)
      return
    }
    try {
      setLoaded({ state: 'shown', shown: await load() })
    } catch (error) {
      fail(error)
    }
    setBusy(false)
  }

  function retry() {
    setLoaded({ state: 'loading', shown: undefined })
    setAttempt(attempt + 1)
  }

  return { state, shown, isBusy, refusal, retry, press }
}

/** The recipient's language, if neither the address nor a choice on this browser names another. */
function speak(lang: Lang): void {
  const { lang: chosen, account } = getPreferences()
  if (chosen || account?.lang || readAddress().searchParams.has('lang') || lang === getLang()) return
  // If the texts of the other language cannot be loaded, the current ones stay.
  adoptLanguage(lang).catch(() => {})
}
