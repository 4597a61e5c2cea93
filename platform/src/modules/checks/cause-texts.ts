import type { Cause, FoundCause } from './find-cause.ts'

/** A sentence or two for each cause: the fault, and who has to do what. */
export type CauseTexts = Readonly<Record<Cause, (found: Pick<FoundCause, 'connection'>) => string>>
