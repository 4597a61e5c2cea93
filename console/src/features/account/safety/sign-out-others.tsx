import { accounts } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../shared/api/client.ts'
import { useText } from '../../../shared/i18n/language.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import css from './safety-page.module.css'
import { terminalsKey } from './safety-queries.ts'

/** Ends every session but this one. It cannot be undone from here, so it is asked. */
export function SignOutOthers() {
  const { account, app, safety } = useText()
  const t = account.safety
  const [isAsked, setAsked] = useState(false)
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => call(accounts.removeOtherTerminals, {}),
    onSuccess: () => {
      showToast(t.othersDone)
      setAsked(false)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: terminalsKey }),
  })
  return (
    <>
      <Button size="small" className={css.others} onClick={() => setAsked(true)}>
        {t.signOutOthers}
      </Button>
      {isAsked && (
        <Dialog
          title={t.othersTitle}
          onClose={() => setAsked(false)}
          actions={
            <>
              <Button onClick={() => setAsked(false)}>{app.cancel}</Button>
              <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
                {t.signOutOthers}
              </Button>
            </>
          }
        >
          <p>{t.othersBody}</p>
          {remove.isError && (
            <p role="alert" className={css.failed}>
              {safety.signOutFailed}
            </p>
          )}
        </Dialog>
      )}
    </>
  )
}
