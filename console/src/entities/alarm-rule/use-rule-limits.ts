import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLang } from '../../shared/i18n/index.ts'
import { type LimitsByTag, limitsByTag } from './rule-limits.ts'
import { rulesQuery } from './rule-queries.ts'

/** Rules change seldom: a chart reloads them after this time. */
const limitsStaleMs = 60_000
const none: LimitsByTag = new Map()

/** The limits of a machine's rules, for its charts; none until they are known. */
export function useRuleLimits(machineId: number): LimitsByTag {
  const { data } = useQuery({
    ...rulesQuery(machineId, useLang()),
    refetchInterval: false,
    staleTime: limitsStaleMs,
    // A chart is complete without them.
    retry: false,
  })
  return useMemo(() => (data && data.length > 0 ? limitsByTag(data) : none), [data])
}
