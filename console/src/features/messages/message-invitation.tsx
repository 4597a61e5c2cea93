import { enterprises } from '@busbar/contract'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { type AnswerState, MessageAnswer } from './message-answer.tsx'

/** An enterprise that invites: join it or not. */
export function MessageInvitation({ invitationId, ...state }: { invitationId: number } & AnswerState) {
  const { decline, declined, ...texts } = useText().messages.invitation
  const answer = (isAccepted: boolean) =>
    call(enterprises.answerInvitation, { id: invitationId, action: isAccepted ? 'accept' : 'decline' })
  return (
    <MessageAnswer
      {...state}
      answer={answer}
      changes={[['invitations'], ['enterprises']]}
      texts={{ ...texts, refuse: decline, refused: declined }}
    />
  )
}
