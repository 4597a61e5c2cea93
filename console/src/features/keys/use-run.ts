import { ApiError } from '@busbar/contract'
import { useCallback } from 'react'
import { refusalWords } from '../../shared/api/refusal-words.ts'
import { getLang, getText } from '../../shared/i18n/index.ts'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import type { Work } from './administration.ts'

/** Runs an act that can be undone, and offers the undo; `refresh` reloads the data shown. True if it worked. */
export function useRun(refresh: () => Promise<void>): (work: Work) => Promise<boolean> {
  return useCallback(
    async (work) => {
      work.expect?.()
      try {
        await work.call()
      } catch (error) {
        showFailure(error)
        await refresh()
        return false
      }
      const { undo } = work
      if (undo) showToast(work.done, 'done', () => void takeBack(undo, refresh))
      else showToast(work.done)
      await refresh()
      return true
    },
    [refresh],
  )
}

/** Undoes an act, and reloads the data shown. */
export async function takeBack(undo: () => Promise<unknown>, refresh: () => Promise<void>): Promise<void> {
  await undo().catch(showFailure)
  await refresh()
}

/** Failures that the console reports for all calls are not reported twice. */
function showFailure(error: unknown): void {
  if (error instanceof ApiError && error.http !== 200) return
  const known = error instanceof ApiError ? refusalWords(error, getLang()) : undefined
  showToast(known ?? getText().access.confirm.failed, 'failure')
}
