import { accounts, type Lang } from '@busbar/contract'
import { type QueryClient, QueryObserver } from '@tanstack/react-query'
import { type CallOptions, call } from '../api/client.ts'
import { getLang } from '../i18n/language.ts'
import { browserZone, setZone } from '../i18n/zone.ts'
import { type Person, personQuery } from './account-queries.ts'
import { readAddress } from './address.ts'
import { getPreferences, updatePreferences } from './preferences.ts'
import { adoptLanguage, onLanguageSwitched } from './switch-language.ts'

/** Changes the account's language or time zone, and the person's data in this page. */
export async function saveLocale(
  client: QueryClient,
  change: { readonly lang?: Lang; readonly timeZone?: string },
  options?: CallOptions,
): Promise<void> {
  await call(accounts.updateLocale, change, options)
  await client.cancelQueries({ queryKey: personQuery.queryKey })
  client.setQueryData<Person>(personQuery.queryKey, (person) => person && { ...person, ...change })
}

/**
 * Keeps this browser and the account in step. Times are in the account's zone; its language is used unless
 * one was chosen on this browser; a newly chosen language is stored in the account, and so is this browser's
 * zone if the account has none. Returns the function that ends it.
 */
export function followAccount(client: QueryClient): () => void {
  let isZoneGiven = false
  function take(person: Person) {
    const { lang, timeZone } = person
    setZone(timeZone)
    const known = getPreferences().account
    if (known?.lang !== lang || known.timeZone !== timeZone)
      updatePreferences({ account: { lang, timeZone } })
    if (timeZone === null && !isZoneGiven) {
      isZoneGiven = true
      // If the zone cannot be stored, times are in this browser's zone until the next start.
      saveLocale(client, { timeZone: browserZone }, { noNotice: true }).catch(() => {})
    }
    const isChosen = getPreferences().lang !== undefined || readAddress().searchParams.has('lang')
    if (!isChosen && lang !== getLang()) adoptLanguage(lang).catch(() => {})
  }
  const observer = new QueryObserver(client, personQuery)
  const ends = [
    observer.subscribe(({ data }) => data && take(data)),
    onLanguageSwitched(() => {
      const person = client.getQueryData<Person>(personQuery.queryKey)
      if (person?.lang !== getLang()) saveLocale(client, { lang: getLang() }).catch(() => {})
    }),
  ]
  const { data } = observer.getCurrentResult()
  if (data) take(data)
  return () => {
    for (const end of ends) end()
  }
}
