import { enterprises } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { offerWords } from '../../entities/enterprise/right-words.ts'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { invitationsQuery } from '../../shared/session/account-queries.ts'
import { type AnswerState, MessageAnswer } from './message-answer.tsx'

/** An enterprise that invites: join it or not, by what it offers now. */
export function MessageInvitation({ invitationId, ...state }: { invitationId: number } & AnswerState) {
  const { enterprises: words, messages } = useText()
  const { decline, declined, ...texts } = messages.invitation
  const { data: invitations } = useQuery(invitationsQuery)
  const offered = invitations?.find(({ id }) => id === invitationId)
  const answer = (isAccepted: boolean) =>
    call(enterprises.answerInvitation, { id: invitationId, action: isAccepted ? 'accept' : 'decline' })
  return (
    <MessageAnswer
      {...state}
      answer={answer}
      changes={[['invitations'], ['enterprises']]}
      texts={{
        ...{ ...texts, refuse: decline, refused: declined },
        ...(offered && { hint: offerWords(offered, words) }),
      }}
    />
  )
}
