import { type FormEvent, type ReactNode, useId } from 'react'
import { useText } from '../../i18n/index.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Icon } from '../icon.tsx'
import css from './form.module.css'

interface FormDialogProps {
  title: string
  submit: string
  busy: boolean
  /** What the platform refused, in words. */
  refusal: string | undefined
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** A form in a dialog: what was refused stands under its fields, and nothing typed is lost. */
export function FormDialog({ title, submit, busy, refusal, onSubmit, onClose, children }: FormDialogProps) {
  const { app } = useText()
  const id = useId()
  return (
    <Dialog
      title={title}
      width={520}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button kind="primary" type="submit" form={id} busy={busy}>
            {submit}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className={css.form}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        {children}
        {refusal && (
          <p className={css.error} role="alert">
            <Icon name="warning" size={14} />
            {refusal}
          </p>
        )}
      </form>
    </Dialog>
  )
}
