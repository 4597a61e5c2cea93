import { enterprises } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { offerWords } from '../../entities/enterprise/right-words.ts'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { type Invitation, invitationsQuery, messageKey } from '../../shared/session/account-queries.ts'
import { Avatar } from '../../shared/ui/avatar.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { RelativeTime } from '../../shared/ui/data/relative-time.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Row, Stack } from '../../shared/ui/layout/layout.tsx'
import { useAct } from '../../shared/ui/use-act.ts'
import css from './invitations-dialog.module.css'

interface InvitationsDialogProps {
  onClose: () => void
  onJoined: (eid: number) => void
}

/** The invitations to enterprises: who invited, what is offered, and the two answers. */
export function InvitationsDialog({ onClose, onJoined }: InvitationsDialogProps) {
  const t = useText().enterprises.invitations
  const { data: invitations = [] } = useQuery(invitationsQuery)
  return (
    <Dialog title={t.title} width={520} onClose={onClose}>
      {invitations.length === 0 && <p>{t.none}</p>}
      <Stack as="ul" gap={14}>
        {invitations.map((invitation) => (
          <InvitationRow
            key={invitation.id}
            invitation={invitation}
            onJoined={(eid) => {
              onClose()
              onJoined(eid)
            }}
          />
        ))}
      </Stack>
    </Dialog>
  )
}

function InvitationRow({
  invitation,
  onJoined,
}: {
  invitation: Invitation
  onJoined: (eid: number) => void
}) {
  const { enterprises: words } = useText()
  const t = words.invitations
  const answer = useAct<'accept' | 'decline'>({
    call: async (action) => {
      const { eid } = await call(enterprises.answerInvitation, { id: invitation.id, action })
      if (eid !== undefined) onJoined(eid)
    },
    done: (action) => (action === 'accept' ? t.joined(invitation.enterprise) : t.declined),
    touched: [['invitations'], ['enterprises'], messageKey],
  })
  return (
    <Row as="li" gap={10} wraps>
      <Avatar name={invitation.enterprise} size={32} square />
      <div className={css.words}>
        <b className="cut" title={invitation.enterprise}>
          {invitation.enterprise}
        </b>
        <p className={css.minor}>
          {t.from(invitation.invitedBy)} · <RelativeTime at={invitation.at} />
        </p>
        <p className={css.minor}>{offerWords(invitation, words)}</p>
      </div>
      <Button size="small" disabled={answer.isPending} onClick={() => answer.mutate('decline')}>
        {t.decline}
      </Button>
      <Button kind="primary" size="small" disabled={answer.isPending} onClick={() => answer.mutate('accept')}>
        {t.accept}
      </Button>
    </Row>
  )
}
