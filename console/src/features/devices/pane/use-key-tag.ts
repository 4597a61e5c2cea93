import { machines, type telemetry } from '@busbar/contract'
import { type Query, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { MachineDetail } from '../../../entities/machine/machine.ts'
import { machineListQuery } from '../../../entities/machine/machine-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { useLang, useText } from '../../../shared/i18n/index.ts'

/** Time in which the last change can be undone. */
const undoMs = 10_000

export interface KeyTagChoice {
  readonly tagId: number | null
  readonly choose: (tag: telemetry.Tag) => void
  /** The last change, and the function that undoes it. */
  readonly undo: { readonly text: string; readonly run: () => void } | undefined
}

/** The personal list, or an enterprise's: both show the caller's choice. */
function isDeviceList({ queryKey: [subject, second, third] }: Query): boolean {
  return subject === 'machines' ? second === 'list' : subject === 'enterprise' && third === 'devices'
}

/**
 * Whether the caller has the machine in their own list: their choice of its key value is kept there, and shown in the
 * list of an enterprise too.
 */
export function useIsListed(machineId: number, isOwn: boolean): boolean {
  const { data } = useQuery({
    ...machineListQuery(useLang()),
    enabled: !isOwn,
    refetchInterval: false,
    refetchOnWindowFocus: false,
    select: ({ list }) => list.some(({ id }) => id === machineId),
  })
  return isOwn || data === true
}

/**
 * Chooses the value that the caller's list shows of a machine: set immediately, restored if the platform
 * refuses, undone by a press.
 */
export function useKeyTag(
  machineId: number,
  tags: readonly telemetry.Tag[],
  keyTagId: number | null,
): KeyTagChoice {
  const t = useText().machines.variables
  const client = useQueryClient()
  const [done, setDone] = useState<{ tagId: number; before: number | null }>()

  const write = (tagId: number | null) =>
    client.setQueriesData<MachineDetail>({ queryKey: ['machines', machineId, 'detail'] }, (machine) =>
      machine && 'keyTagId' in machine ? { ...machine, keyTagId: tagId } : machine,
    )

  const { mutate } = useMutation({
    mutationFn: (tagId: number) => call(machines.setKeyTag, { machineID: machineId, tagId }),
    onMutate: (tagId) => {
      write(tagId)
      return { before: keyTagId }
    },
    onError: (_error, _tagId, context) => {
      write(context?.before ?? null)
      setDone(undefined)
    },
    onSettled: () => client.invalidateQueries({ predicate: isDeviceList }),
  })

  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setDone(undefined), undoMs)
    return () => clearTimeout(timer)
  }, [done])

  const chosen = done && tags.find((tag) => tag.tagId === done.tagId)
  return {
    tagId: keyTagId,
    choose: (tag) => {
      setDone({ tagId: tag.tagId, before: keyTagId })
      mutate(tag.tagId)
    },
    undo:
      chosen && done.before !== null
        ? {
            text: t.keySet(chosen.name),
            run: () => {
              if (done.before !== null) mutate(done.before)
              setDone(undefined)
            },
          }
        : undefined,
  }
}
