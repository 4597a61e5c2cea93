import { ApiError, boards } from '@busbar/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../shared/api/client.ts'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { refusalText } from '../../../shared/ui/use-act.ts'
import { type Board, boardKey, boardsKey } from '../board-queries.ts'
import { useBoardsText } from '../boards-text.ts'
import { type Conflict, type Draft, mergeDrafts, type Side } from './merge.ts'

/** The state that a draft began from. */
export interface Base extends Draft {
  readonly version: number
}

/** The conflicting changes of another person. */
export interface Question {
  readonly theirs: boards.ChangedBoard
  readonly conflicts: readonly Conflict[]
}

/** Others may save at the same moment: joined and tried again so often. */
const triesMax = 5

/**
 * Saves a draft. Changes that others saved are merged into it; for tiles that both sides changed, the person
 * is asked first.
 */
export function useSaveBoard(board: Board, onSaved: () => void) {
  const t = useBoardsText()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [question, ask] = useState<Question>()

  async function save(base: Base, draft: Draft, chosen?: ReadonlyMap<string, Side>): Promise<void> {
    setBusy(true)
    try {
      await send(base, draft, chosen)
    } catch (error) {
      const isBad = error instanceof ApiError && error.http === 400
      const text = isBad ? t.edit.invalid : refusalText(error, t.list.failed)
      if (text) showToast(text, 'failure')
    } finally {
      setBusy(false)
    }
  }

  async function send(base: Base, draft: Draft, chosen?: ReadonlyMap<string, Side>): Promise<void> {
    let [from, wished] = [base, draft]
    let answered = chosen
    // The answer refers to their version, so it is merged first.
    if (question && answered) {
      const { draft: merged } = mergeDrafts(base, draft, question.theirs, answered)
      ;[from, wished, answered] = [question.theirs, merged, undefined]
    }
    for (let tries = 1; ; tries++) {
      try {
        const { version } = await call(
          boards.updateBoard,
          { id: board.id, version: from.version, name: wished.name, layout: wished.layout },
          { noNotice: true },
        )
        ask(undefined)
        client.setQueryData<Board>(
          boardKey(board.id),
          (before) => before && { ...before, ...wished, version, updatedAt: Date.now() },
        )
        void client.invalidateQueries({ queryKey: boardsKey })
        showToast(t.edit.saved)
        onSaved()
        return
      } catch (error) {
        const theirs = changedOf(error)
        if (!theirs || tries === triesMax) throw error
        const { draft: merged, conflicts } = mergeDrafts(from, wished, theirs)
        if (conflicts.length > 0) {
          ask({ theirs, conflicts })
          return
        }
        showToast(t.merge.merged(theirs.by || t.view.someone), 'info')
        ;[from, wished] = [theirs, merged]
      }
    }
  }

  return { save, busy, question, forget: () => ask(undefined) }
}

function changedOf(error: unknown): boards.ChangedBoard | undefined {
  return error instanceof ApiError && error.code === 'BOARD_CHANGED'
    ? (error.data as boards.ChangedBoard)
    : undefined
}
