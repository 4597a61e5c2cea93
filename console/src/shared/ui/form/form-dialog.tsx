import type { ReactNode } from 'react'
import { useText } from '../../i18n/index.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import css from '../dialogs/form.module.css'
import { Icon } from '../icon.tsx'
import type { Values } from './problems.ts'
import type { Form } from './use-form.ts'
import { useUnsavedChanges } from './use-unsaved-changes.ts'

interface FormDialogProps<V extends Values> {
  title: string
  submit: string
  /** The act cannot be undone. */
  danger?: boolean
  /** In place of "Cancel". */
  cancel?: string
  /** Beside the buttons. */
  note?: ReactNode
  /** Cannot be sent yet. */
  disabled?: boolean
  form: Form<V>
  width?: number
  onClose: () => void
  /** Stands below the form, as a separate form does. */
  below?: ReactNode
  children: ReactNode
}

/** A form in a dialog: it shows a refusal, and closing it asks before input is lost. */
export function FormDialog<V extends Values>(props: FormDialogProps<V>) {
  const { app } = useText()
  const { title, submit, danger = false, cancel = app.cancel, note, disabled = false } = props
  const { form, width = 520, onClose, below, children } = props
  return (
    <Dialog
      title={title}
      width={width}
      onClose={onClose}
      actions={
        <>
          {note}
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            kind={danger ? 'danger' : 'primary'}
            type="submit"
            form={form.props.id}
            busy={form.isSending}
            disabled={disabled}
          >
            {submit}
          </Button>
        </>
      }
    >
      <form {...form.props} className={css.form}>
        <Unsaved isDirty={form.isDirty} />
        {children}
        <FormRefusal text={form.general} />
      </form>
      {below}
    </Dialog>
  )
}

/** Reports unsaved input to the dialog around it. */
function Unsaved({ isDirty }: { isDirty: boolean }) {
  useUnsavedChanges(isDirty)
  return null
}

/** A refusal of the platform that concerns no field. */
export function FormRefusal({ text }: { text: string | undefined }) {
  if (text === undefined) return null
  return (
    <p className={css.error} role="alert">
      <Icon name="warning" size={14} />
      {text}
    </p>
  )
}
