import { operator as contract } from '@busbar/contract'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import type { SetAside } from '../../kernel/facts/durable-store.ts'
import { FactNotHandled, type Facts } from '../../kernel/facts/facts.ts'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { auditAct } from '../audit/index.ts'

const errorCharactersMax = 300

interface FactsRoutesDeps {
  readonly db: Database
  readonly facts: Pick<Facts, 'listSetAside' | 'countSetAside' | 'retrySetAside'>
}

/** Facts that a follower could not handle; each can be given to it again. */
export function factsRoutes({ db, facts }: FactsRoutesDeps): Binding[] {
  return [
    bind(contract.listFactsSetAside, async ({ page, pageSize }) => {
      const rows = await facts.listSetAside({ offset: (page - 1) * pageSize, count: pageSize })
      return { list: rows.map(presentSetAside), total: await facts.countSetAside(), page, pageSize }
    }),

    bind(contract.retryFactSetAside, async ({ follower, factId }, context) => {
      const act = { action: 'fact.retry', target: follower, detail: { factId } }
      try {
        const isHandled = await facts.retrySetAside(follower, factId, (trx) => auditAct(trx, context, act))
        if (!isHandled) throw new Failure('404')
      } catch (error) {
        if (!(error instanceof FactNotHandled)) throw error
        await withTransaction(db, (trx) => auditAct(trx, context, { ...act, result: 'refused' }))
        throw new Failure('FACT_NOT_HANDLED')
      }
      return {}
    }),
  ]
}

/** The fact's subject, by ids; its payload is not shown. */
function presentSetAside({
  follower,
  factId,
  fact,
  setAsideAt,
  failures,
  error,
}: SetAside): contract.SetAsideRow {
  return {
    follower,
    factId,
    // The console has texts for the kinds of the contract: an additional one does not compile here.
    kind: fact.kind satisfies contract.FactKind,
    machineId: fact.machineId ?? null,
    userId: fact.userId ?? null,
    eid: fact.enterpriseId ?? null,
    at: fact.at,
    setAsideAt: setAsideAt.getTime(),
    tries: failures,
    error: error.slice(0, errorCharactersMax),
  }
}
