import { useEffect, useState } from 'react'
import type { ListAsk } from './operator-queries.ts'

/** What is typed is asked for once the fingers rest. */
const typingMs = 250

/** A list's page, search and filter; what narrows it leads back to its first page. */
export function useList<Only extends string>(first?: Only) {
  const [page, setPage] = useState(1)
  const [typed, setTyped] = useState('')
  const [search, setSearch] = useState('')
  const [only, setOnly] = useState<Only | undefined>(first)
  useEffect(() => {
    const timer = setTimeout(() => {
      setSearch(typed.trim())
      setPage(1)
    }, typingMs)
    return () => clearTimeout(timer)
  }, [typed])
  const ask: ListAsk<Only> = { page, search, only }
  return {
    ask,
    typed,
    type: setTyped,
    turnTo: setPage,
    narrow(wished: Only | undefined) {
      setOnly(wished)
      setPage(1)
    },
  }
}

export type ListState<Only extends string> = ReturnType<typeof useList<Only>>
