import { type AnswerOf, visits } from '@busbar/contract'
import { useEffect, useState } from 'react'
import { call } from '../../../shared/api/client.ts'
import { push } from '../../../shared/api/live.ts'
import type { WriteEvent } from '../../../shared/api/push-messages.ts'

type Answered = AnswerOf<typeof visits.putBackChanges>['results'][number]

/** The progress of putting one value back: refused by the platform, or sent and, once `end` is there, answered by the machine. */
export type PutBack =
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'sent'; readonly end: WriteEvent | undefined }

/** Results that came before the answer that names their writes; older ones are of other writes. */
const endsMax = 200

/** Puts former values of one visit back, and follows each write until the machine has answered. */
export function usePutBack(machineId: number, sessionId: number) {
  const [answered, setAnswered] = useState<ReadonlyMap<number, Answered>>(new Map())
  const [ends, setEnds] = useState<ReadonlyMap<number, WriteEvent>>(new Map())
  useEffect(
    () =>
      push.on('writeResult', (event) => {
        if (event.machineId !== machineId) return
        setEnds((known) => new Map([...known, [event.commandId, event] as const].slice(-endsMax)))
      }),
    [machineId],
  )
  const awaited = [...answered.values()].flatMap(({ commandId }) =>
    commandId === null || ends.has(commandId) ? [] : [commandId],
  )
  const awaitedIds = awaited.join()
  useEffect(() => {
    const ids = awaitedIds === '' ? [] : awaitedIds.split(',').map(Number)
    const unfollows = ids.map((commandId) => push.followWrite(machineId, commandId))
    return () => {
      for (const unfollow of unfollows) unfollow()
    }
  }, [machineId, awaitedIds])

  return {
    async putBack(tagIds: readonly number[]): Promise<void> {
      const request = { sessionId, tagIds: [...tagIds] }
      const { results } = await call(visits.putBackChanges, request, { noNotice: true })
      setAnswered((known) => new Map([...known, ...results.map((result) => [result.tagId, result] as const)]))
    },
    progressOf(tagId: number): PutBack | undefined {
      const result = answered.get(tagId)
      if (!result) return undefined
      if (result.commandId === null) return { kind: 'refused', why: result.why }
      return { kind: 'sent', end: ends.get(result.commandId) }
    },
  }
}
