import { machines } from '@busbar/contract'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { type AnswerState, MessageAnswer } from './message-answer.tsx'

/** A machine that is offered: take it or not. */
export function MessageTransfer({ transferId, ...state }: { transferId: number } & AnswerState) {
  const texts = useText().messages.transfer
  const answer = (isAccepted: boolean) =>
    call(machines.answerTransfer, { applyId: transferId, action: isAccepted ? 'accept' : 'refuse' })
  const changes = [['machines', 'list'], ['machines', 'transfers'], ['enterprise']]
  return <MessageAnswer {...state} answer={answer} changes={changes} texts={texts} />
}
