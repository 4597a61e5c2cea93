import { ApiError } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useProof } from '../../entities/account/use-proof.tsx'
import { refusalWords } from '../../shared/api/refusal-words.ts'
import { useLang, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import form from './form.module.css'
import { operatorKey } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'

/** An act with consequences, which is confirmed first. */
export interface Act {
  readonly title: string
  readonly body: ReactNode
  readonly action: string
  readonly danger?: boolean
  /** Runs the act; if the caller's password is needed, it is requested. */
  readonly run: () => Promise<unknown>
  /** Called once it is done. */
  readonly onDone?: () => void
}

/** Explains the act, runs it, and shows the reason if the platform refuses. */
export function ActDialog({ act, onClose }: { act: Act; onClose: () => void }) {
  const { app } = useText()
  const t = useOperatorText()
  const lang = useLang()
  const queries = useQueryClient()
  const { proved, dialog } = useProof()
  const doing = useMutation({
    mutationFn: () => proved(async () => (await act.run()) ?? true),
    onSuccess: (answer) => {
      // Undefined: the person did not want to give their password.
      if (answer === undefined) return
      act.onDone?.()
      onClose()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: operatorKey }),
  })
  return (
    <>
      <Dialog
        title={act.title}
        onClose={onClose}
        actions={
          <>
            <Button onClick={onClose}>{app.cancel}</Button>
            <Button
              kind={act.danger ? 'danger' : 'primary'}
              busy={doing.isPending}
              onClick={() => doing.mutate()}
            >
              {act.action}
            </Button>
          </>
        }
      >
        <div className={form.body}>{act.body}</div>
        {doing.isError && (
          <p role="alert" className={form.failed}>
            {explain(doing.error, lang) ?? t.refusedByPlatform}
          </p>
        )}
      </Dialog>
      {dialog}
    </>
  )
}

/** Why the platform refused, in the person's language; undefined for an unexpected failure. */
export function explain(error: unknown, lang: 'cn' | 'en'): string | undefined {
  return error instanceof ApiError ? refusalWords(error, lang) : undefined
}
