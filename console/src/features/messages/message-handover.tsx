import { enterprises } from '@busbar/contract'
import { handoversQuery } from '../../entities/enterprise/handover-queries.ts'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { type AnswerState, MessageAnswer } from './message-answer.tsx'

/** An enterprise that asks to have its devices taken when it is deleted: take them or not. */
export function MessageHandover({ handoverId, ...state }: { handoverId: number } & AnswerState) {
  const texts = useText().messages.handover
  const answer = (isAccepted: boolean) =>
    call(enterprises.answerHandover, { id: handoverId, action: isAccepted ? 'accept' : 'refuse' })
  return <MessageAnswer {...state} answer={answer} changes={[handoversQuery.queryKey]} texts={texts} />
}
