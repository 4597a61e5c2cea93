import type { applications } from '@busbar/contract'

/** The part of an application that an answer needs; a row of a machine's applications has it. */
export type AnswerableApplication = Pick<
  applications.Application,
  'applyId' | 'kind' | 'name' | 'wish' | 'auditState' | 'mayAnswer'
> & { readonly machineId: number }
