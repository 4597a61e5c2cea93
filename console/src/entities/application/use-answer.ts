import { ApiError, applications, errorText } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getLang, getText } from '../../shared/i18n/index.ts'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { judgeOutcome } from './answer-outcome.ts'
import type { AnswerableApplication } from './answerable-application.ts'
import { refreshApplications } from './application-queries.ts'

/** A key's answer, with the right that is given. */
export type KeyAnswer =
  | { readonly pass: true; readonly kind: 'visit'; readonly validTime: number; readonly mode: 'ro' | 'rw' }
  | { readonly pass: true; readonly kind: 'bind'; readonly limitRead?: 0 | 1; readonly limitAlarm?: 0 | 1 }
  | { readonly pass: false; readonly blacklist: boolean }

/** Sends the answer and reports its result; everything that shows the application is reloaded. */
export function useAnswer(application: AnswerableApplication) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (answer: KeyAnswer) => sendAnswer(application, answer),
    onSuccess: ({ auditState }, answer) => showOutcome(application.name, answer, auditState),
    onError: (error) => {
      if (error instanceof ApiError && error.is('APPLICATION_GONE'))
        showToast(errorText('APPLICATION_GONE', getLang()) ?? error.message, 'info')
    },
    onSettled: () => refreshApplications(client, application.machineId),
  })
}

function sendAnswer({ applyId, kind }: AnswerableApplication, answer: KeyAnswer) {
  const route = kind === 'bind' ? applications.verifyBind : applications.verifyVisit
  if (!answer.pass) return call(route, { applyId, pass: false, blacklist: answer.blacklist })
  if (answer.kind === 'bind') {
    const { limitRead, limitAlarm } = answer
    return call(applications.verifyBind, { applyId, pass: true, limitRead, limitAlarm })
  }
  const { validTime, mode } = answer
  return call(applications.verifyVisit, { applyId, pass: true, validTime, mode })
}

function showOutcome(name: string, answer: KeyAnswer, auditState: number): void {
  const t = getText().applications
  const outcome = judgeOutcome(answer.pass, auditState)
  if (outcome === 'other') showToast(t.answer.outcomes.other(t.states[auditState] ?? ''), 'info')
  else if (!answer.pass && answer.blacklist) showToast(t.answer.outcomes.blocked(name))
  else showToast(t.answer.outcomes[outcome](name))
}
