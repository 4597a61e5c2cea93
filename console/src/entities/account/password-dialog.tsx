import type { ApiError, Route } from '@busbar/contract'
import { TextField } from '../../shared/ui/field.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { Text } from '../../shared/ui/layout/layout.tsx'

/** The refusals that are about the password: wrong, or tried too often. */
const passwordErrors = ['PASSWORD_WRONG', '07010110', '04010114', '505'] as const
const errorFields = Object.fromEntries(passwordErrors.map((code) => [code, 'password' as const]))

interface PasswordDialogProps {
  /** The purpose of the password, and how it is used. */
  words: { readonly title: string; readonly body: string; readonly password: string; readonly submit: string }
  /** The call that takes it. */
  route: Route
  /** Shown if the field is empty. */
  missing: string
  failed: string
  /** Password stores keep a person's password but not a machine's. */
  autoComplete: 'current-password' | 'one-time-code'
  send: (password: string) => Promise<unknown>
  /** Own words for a refusal. */
  explain?: (error: ApiError) => string | undefined
  onSent: () => unknown
  onClose: () => void
}

/** Asks for one password. */
export function PasswordDialog(props: PasswordDialogProps) {
  const { words, route, missing, failed, autoComplete, send, explain, onSent, onClose } = props
  const form = useForm({
    route,
    initial: { password: '' },
    required: ['password'],
    words: { password: { required: missing } },
    send: ({ password }) => send(password),
    errorFields,
    ...(explain ? { explain } : {}),
    failed,
    onSent,
  })
  return (
    <FormDialog title={words.title} submit={words.submit} width={440} form={form} onClose={onClose}>
      <Text as="p" pretty>
        {words.body}
      </Text>
      <TextField
        label={words.password}
        type="password"
        autoFocus
        autoComplete={autoComplete}
        {...form.text('password')}
      />
    </FormDialog>
  )
}
