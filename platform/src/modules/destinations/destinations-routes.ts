import { destinations as contract } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { ProjectStreams } from '../project-stream/index.ts'
import { findDelivery, listDeliveries } from './deliveries-store.ts'
import type { DestinationsService } from './destinations-service.ts'
import { listDestinationIds } from './destinations-store.ts'
import { listPresented, presentDelivery } from './destinations-views.ts'
import { findSettings } from './lanes-store.ts'
import { type ReplayDeps, startReplay } from './replay.ts'
import { type ResendDeps, resend } from './resend.ts'
import { testCall } from './test-call.ts'

interface Deps extends ResendDeps, Pick<ReplayDeps, 'jobs'> {
  readonly streams: Pick<ProjectStreams, 'heads' | 'read' | 'listAges'>
  readonly service: DestinationsService
}

export function destinationsRoutes(deps: Deps): Binding[] {
  const { db, streams, service } = deps
  return [
    bind(contract.listDestinations, ({ id }, { now }) => listPresented(db, streams, id, now)),

    bind(contract.createDestination, ({ id, ...settings }, context) => service.create(id, settings, context)),

    bind(contract.updateDestination, async ({ id, state, ...settings }, context) => {
      await service.update(id, settings, state, context)
      return {}
    }),

    bind(contract.deleteDestination, async ({ id }, context) => {
      await service.remove(id, context)
      return {}
    }),

    bind(contract.resetDestinationSecret, ({ id }, context) => service.resetSecret(id, context)),

    bind(contract.testDestination, async ({ id }, { now }) => {
      const settings = await findSettings(db, id, new Date(now))
      if (!settings) throw new Failure('404')
      return testCall(deps, settings, now)
    }),

    bind(contract.listDeliveries, async ({ id, targetId, state, page, pageSize }) => {
      const own = await listDestinationIds(db, id)
      const destinationIds = targetId === undefined ? own : own.filter((each) => each === targetId)
      const { list, total } = await listDeliveries(db, { destinationIds, state }, { page, pageSize })
      return { list: list.map(presentDelivery), total, page, pageSize }
    }),

    bind(contract.getDelivery, async ({ id }) => {
      const found = await findDelivery(db, id)
      if (!found) throw new Failure('404')
      return { ...presentDelivery(found), request: found.letter?.request ?? '', response: found.answer }
    }),

    bind(contract.startReplay, async ({ id, ...span }, { user, now }) => ({
      jobId: await startReplay(deps, id, span, { userId: user.userId, now }),
    })),

    bind(contract.resendDelivery, async ({ id }, { now }) => {
      await resend(deps, id, now)
      return {}
    }),
  ]
}
