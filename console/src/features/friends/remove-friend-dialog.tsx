import { accounts } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { explainStep } from '../../entities/account/code-calls.ts'
import { FailureNote } from '../../entities/account/failure-note.tsx'
import { type Friend, friendsKey } from '../../entities/person/friend-queries.ts'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'

/** Only the masked account is known here, so it could not be undone: it is asked. */
export function RemoveFriendDialog({ friend, onClose }: { friend: Friend; onClose: () => void }) {
  const { account, app, joining } = useText()
  const t = account.friends
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => call(accounts.removeFriend, { id: friend.userid }, { noNotice: true }),
    onSuccess: () => {
      showToast(t.removed(friend.name))
      onClose()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: friendsKey }),
  })
  return (
    <Dialog
      title={t.removeTitle(friend.name)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            {t.remove}
          </Button>
        </>
      }
    >
      <p>{t.removeBody}</p>
      <FailureNote text={remove.error ? explainStep(remove.error, joining) : undefined} />
    </Dialog>
  )
}
