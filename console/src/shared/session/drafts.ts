import { useEffect, useEffectEvent, useRef } from 'react'
import { queryClient } from '../api/query-client.ts'
import { personQuery } from './account-queries.ts'

/* Keeps the text that a person had typed when the session ended. It stays in this tab and is only for the
   same person, after they sign in again. Passwords are never kept. */

const storageKey = 'busbar.drafts'
/** After a longer time, a person has forgotten what they were about to do. */
const keptMs = 60 * 60_000

type Fields = Readonly<Record<string, string>>

interface Kept {
  readonly userId: number
  readonly at: number
  readonly drafts: Readonly<Record<string, Fields>>
}

const open = new Map<string, () => Fields>()

/** Keeps the input of an open form in case the session ends. */
export function useDraft(name: string, fields: Fields): void {
  const latest = useRef(fields)
  useEffect(() => {
    latest.current = fields
  })
  useEffect(() => {
    open.set(name, () => latest.current)
    return () => {
      open.delete(name)
    }
  }, [name])
}

/** Saves the typed text now; called when the session ends. */
export function keepDrafts(): void {
  const userId = queryClient.getQueryData(personQuery.queryKey)?.userid
  const typed = [...open].map(([name, read]) => [name, read()] as const)
  const drafts = typed.filter(([, fields]) => Object.values(fields).some(Boolean))
  if (userId === undefined || drafts.length === 0) return
  const kept: Kept = { userId, at: Date.now(), drafts: Object.fromEntries(drafts) }
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(kept))
  } catch {
    // Without storage the text is lost, as on any other page.
  }
}

/** Returns the input that the signed-in person had left in that form, once. */
export function useReturnedDraft(
  name: string,
  userId: number | undefined,
  onDraft: (draft: Fields) => void,
): void {
  const take = useEffectEvent((id: number) => {
    const draft = takeDraft(name, id)
    if (draft) onDraft(draft)
  })
  useEffect(() => {
    if (userId !== undefined) take(userId)
  }, [userId])
}

function takeDraft(name: string, userId: number): Fields | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as Kept | null
    sessionStorage.removeItem(storageKey)
    if (kept?.userId !== userId || Date.now() - kept.at > keptMs) return undefined
    return kept.drafts[name]
  } catch {
    return undefined
  }
}
