import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { personQuery } from '../../session/account-queries.ts'
import { loadSettings, noSettings, saveSettings, type TableSettings } from './settings.ts'

/** How the signed-in person arranged a list, and the function that changes it. */
export interface Arrangement {
  readonly settings: TableSettings
  readonly arrange: (settings: TableSettings) => void
}

/** The columns, widths, pinned edges and order of a list, kept in the browser by person and by the list's own name. */
export function useArrangement(list: string): Arrangement {
  const person = useQuery(personQuery).data?.userid
  const [kept, keep] = useState(() => settingsOf(person, list))
  if (kept.person !== person || kept.list !== list) keep(settingsOf(person, list))
  const arrange = useCallback(
    (settings: TableSettings) => {
      keep({ person, list, settings })
      if (person !== undefined) saveSettings(localStorage, person, list, settings)
    },
    [person, list],
  )
  return { settings: kept.settings, arrange }
}

function settingsOf(person: number | undefined, list: string) {
  const settings = person === undefined ? noSettings : loadSettings(localStorage, person, list)
  return { person, list, settings }
}
