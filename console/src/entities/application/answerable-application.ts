import type { applications } from '@busbar/contract'

/** What one has to know of an application to answer it: a row of a machine's applications is one. */
export type AnswerableApplication = Pick<
  applications.Application,
  'applyId' | 'kind' | 'name' | 'wish' | 'auditState' | 'mayAnswer'
> & { readonly machineId: number }
