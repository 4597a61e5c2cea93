import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLang } from '../../shared/i18n/index.ts'
import { everyMachineTypeQuery } from './operator-queries.ts'

/** Names machine types in the reader's language; a type without a name keeps its code. */
export function useTypeNames(): (type: string) => string {
  const lang = useLang()
  const { data } = useQuery(everyMachineTypeQuery)
  return useMemo(() => {
    const names = new Map(data?.list.map(({ type, name }) => [type, name[lang]]))
    return (type) => names.get(type) || type
  }, [data, lang])
}
