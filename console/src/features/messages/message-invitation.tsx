import { ApiError, enterprises, errorText } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { messageKey, messageListKey } from '../../app/account-queries.ts'
import { useLang, useText } from '../../i18n/index.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { showNotice } from '../../ui/notice-store.ts'
import form from '../access/form.module.css'
import css from './message-pane.module.css'

interface MessageInvitationProps {
  invitationId: number
  mayAnswer: boolean
}

/** An enterprise that invites: join it or not. */
export function MessageInvitation({ invitationId, mayAnswer }: MessageInvitationProps) {
  const t = useText().messages.invitation
  const lang = useLang()
  const client = useQueryClient()
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: (action: 'accept' | 'decline') =>
      call(enterprises.answerInvitation, { id: invitationId, action }),
    onSuccess: (_, action) => showNotice(action === 'accept' ? t.accepted : t.declined),
    onSettled: () =>
      Promise.all(
        [messageKey, messageListKey, ['invitations'], ['enterprises']].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  })
  if (!mayAnswer) return <p className={css.over}>{t.gone}</p>
  const known = error instanceof ApiError && error.http === 200 && errorText(error.code, lang)
  return (
    <section className={css.section}>
      {error && (
        <p role="alert" className={form.error}>
          <Icon name="warning" size={14} />
          {known || t.failed}
        </p>
      )}
      <div className={css.answers}>
        <Button
          kind="primary"
          icon="check"
          busy={isPending && variables === 'accept'}
          disabled={isPending}
          onClick={() => mutate('accept')}
        >
          {t.accept}
        </Button>
        <Button
          busy={isPending && variables === 'decline'}
          disabled={isPending}
          onClick={() => mutate('decline')}
        >
          {t.decline}
        </Button>
      </div>
    </section>
  )
}
