import type { AnswerOf, visits } from '@busbar/contract'

/** A port of a machine, and what the caller may do at it. */
export type Port = AnswerOf<typeof visits.listPorts>['ports'][number]
