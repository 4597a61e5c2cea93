import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Machine } from '../../../entities/machine/machine.ts'

type Listed = Pick<Machine, 'id' | 'online' | 'openAlarms' | 'worstAlarm'>

/**
 * Reloads the details when the list brings another state. A person's own devices have events for that; of an
 * enterprise's devices only the list is asked again and again.
 */
export function useListedState({ id, online, openAlarms, worstAlarm }: Listed, isPolled: boolean): void {
  const client = useQueryClient()
  const state = `${online} ${openAlarms} ${worstAlarm}`
  const shown = useRef(state)
  useEffect(() => {
    if (shown.current === state) return
    shown.current = state
    if (isPolled) void client.invalidateQueries({ queryKey: ['machines', id, 'detail'] })
  }, [client, id, state, isPolled])
}
