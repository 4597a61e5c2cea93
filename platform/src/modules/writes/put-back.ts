import { visits as contract, errorText } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { VisitChangesModule } from '../visit-changes/index.ts'
import type { WritesService } from './writes-service.ts'

interface Deps {
  readonly service: Pick<WritesService, 'write'>
  readonly changes: Pick<VisitChangesModule['changes'], 'find'>
  /** The visit, if it is the user's own or of a machine they hold a key of. */
  findVisibleVisit(
    userId: number,
    visitId: number,
    now: number,
  ): Promise<{ readonly machineId: number } | undefined>
}

/** Former values of variables that a visit changed, by the ordinary write: each has every check that a write has. */
export const putBackRoute = ({ service, changes, findVisibleVisit }: Deps): Binding =>
  bind(contract.putBackChanges, async ({ sessionId, tagIds }, { user, now, lang }) => {
    const visit = await findVisibleVisit(user.userId, sessionId, now)
    if (!visit) throw new Failure('404')
    const found = await changes.find(sessionId, lang, true)
    const byTag = new Map(found.changes.map((change) => [change.tagId, change]))
    const wished = [...new Set(tagIds)].map((tagId) => {
      const { from = null, to = null, mayPutBack = false } = byTag.get(tagId) ?? {}
      if (!mayPutBack || from === null || to === null) throw new Failure('404')
      return { tagId, value: from, expected: to }
    })
    const results = []
    for (const { tagId, ...values } of wished) {
      const request = { userId: user.userId, machineId: visit.machineId, tagId, lang, note: '' }
      try {
        const commandId = await service.write({ ...request, ...values })
        results.push({ tagId, commandId, refusal: '', why: '' })
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        const why = error.text?.[lang] ?? errorText(error.code, lang) ?? error.code
        results.push({ tagId, commandId: null, refusal: error.code, why })
      }
    }
    return { results }
  })
