import { ApiError } from '@busbar/contract'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { refusalWords } from '../../api/refusal-words.ts'
import { useLang, useText } from '../../i18n/index.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Icon } from '../icon.tsx'
import { Stack, Text } from '../layout/layout.tsx'
import { showToast } from '../toast/toast-store.ts'
import css from './form.module.css'

/** Runs work that may need a recent proof of the password; `proved` answers undefined if the person gives none. */
export interface Proof {
  readonly proved: <T>(work: () => Promise<T>) => Promise<T | undefined>
  /** Has to be rendered. */
  readonly dialog: ReactNode
}

/** An act with consequences, so it is confirmed first. */
export interface Confirmation {
  /** Names the person or the thing. */
  readonly title: string
  readonly body: ReactNode
  /** The label of the button. */
  readonly action: string
  /** False: it can be reversed as easily. */
  readonly danger?: boolean
  readonly done?: string | undefined
  call(): Promise<unknown>
  readonly proof?: Proof
  /** The buttons after a refusal that trying again does not change. */
  wayOut?(refusal: ApiError): ReactNode
}

export interface ConfirmDialogProps {
  confirmation: Confirmation
  onClose: () => void
  /** Runs after an attempt, because the data may have changed. */
  onSettled: () => Promise<void>
}

/** Asks before an act, and names the person or thing it is about. */
export function ConfirmDialog({ confirmation, onClose, onSettled }: ConfirmDialogProps) {
  const { access: t, app } = useText()
  const lang = useLang()
  const { title, body, action, danger = true, done, call, proof, wayOut } = confirmation
  const { mutate, isPending, error } = useMutation({
    // Null: the person gave no proof.
    mutationFn: async () => {
      const run = async () => [await call()]
      return (proof ? await proof.proved(run) : await run()) ?? null
    },
    onSuccess: (answer) => {
      if (answer === null) return
      if (done !== undefined) showToast(done)
      onClose()
    },
    onSettled,
  })
  const other = error instanceof ApiError && wayOut?.(error)
  const known = error instanceof ApiError && error.http === 200 && refusalWords(error, lang)
  return (
    <>
      <Dialog
        title={title}
        onClose={onClose}
        actions={
          other || (
            <>
              <Button onClick={onClose}>{app.cancel}</Button>
              <Button kind={danger ? 'danger' : 'primary'} busy={isPending} onClick={() => mutate()}>
                {action}
              </Button>
            </>
          )
        }
      >
        <Stack gap={10}>
          <Text as="div" pretty>
            {body}
          </Text>
          {error && (
            <p role="alert" className={css.error}>
              <Icon name="warning" size={14} />
              {known || t.confirm.failed}
            </p>
          )}
        </Stack>
      </Dialog>
      {proof?.dialog}
    </>
  )
}
