import { reports } from '@busbar/contract'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { type AnswerState, MessageAnswer } from './message-answer.tsx'

/** A person or an enterprise that wants to send reports: receive them or not. */
export function MessageReportRequest({ contactId, ...state }: { contactId: number } & AnswerState) {
  const texts = useText().messages.reportRequest
  const answer = (agree: boolean) =>
    call(reports.answerReportRequest, { id: contactId, agree }, { noNotice: true })
  return <MessageAnswer {...state} answer={answer} changes={[]} texts={texts} />
}
