import { enterprises } from '@busbar/contract'
import { call } from '../../api/client.ts'
import { useText } from '../../i18n/index.ts'
import { handoversQuery } from '../enterprises/handover-queries.ts'
import { type AnswerState, MessageAnswer } from './message-answer.tsx'

/** An enterprise that asks to have its devices taken when it is deleted: take them or not. */
export function MessageHandover({ handoverId, ...state }: { handoverId: number } & AnswerState) {
  const texts = useText().messages.handover
  const answer = (isAccepted: boolean) =>
    call(enterprises.answerHandover, { id: handoverId, action: isAccepted ? 'accept' : 'refuse' })
  return <MessageAnswer {...state} answer={answer} changes={[handoversQuery.queryKey]} texts={texts} />
}
