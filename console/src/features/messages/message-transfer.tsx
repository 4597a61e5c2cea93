import { ApiError, errorText, machines } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { messageKey, messageListKey } from '../../app/account-queries.ts'
import { useLang, useText } from '../../i18n/index.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { showNotice } from '../../ui/notice-store.ts'
import form from '../access/form.module.css'
import css from './message-pane.module.css'

/** A machine that is offered: take it or not. */
export function MessageTransfer({ transferId, mayAnswer }: { transferId: number; mayAnswer: boolean }) {
  const t = useText().messages.transfer
  const lang = useLang()
  const client = useQueryClient()
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: (action: 'accept' | 'refuse') =>
      call(machines.answerTransfer, { applyId: transferId, action }),
    onSuccess: (_, action) => showNotice(action === 'accept' ? t.accepted : t.refused),
    onSettled: () =>
      Promise.all(
        [messageKey, messageListKey, ['machines', 'list'], ['machines', 'transfers'], ['enterprise']].map(
          (queryKey) => client.invalidateQueries({ queryKey }),
        ),
      ),
  })
  if (!mayAnswer) return <p className={css.over}>{t.gone}</p>
  const known = error instanceof ApiError && error.http === 200 && errorText(error.code, lang)
  return (
    <section className={css.section}>
      <p className={css.hint}>{t.hint}</p>
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
          busy={isPending && variables === 'refuse'}
          disabled={isPending}
          onClick={() => mutate('refuse')}
        >
          {t.refuse}
        </Button>
      </div>
    </section>
  )
}
