import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { BrandsModule } from '../brands/index.ts'
import type { OpenAttachment } from './attachment.ts'
import { createOutgoing, type Outgoing } from './outgoing.ts'
import { outgoingRoutes } from './outgoing-routes.ts'

export interface OutgoingModule extends Module {
  readonly outgoing: Outgoing
}

/** SMS and e-mail. */
export function createOutgoingModule(
  { db, facts, jobs, config, logger, now }: Kernel,
  {
    brands,
    mayStillNotify,
    openAttachment,
  }: {
    readonly brands: BrandsModule
    mayStillNotify(notificationId: number): Promise<boolean>
    readonly openAttachment?: OpenAttachment
  },
): OutgoingModule {
  const brandOf = (id: number) => brands.directory.get(id)
  const outgoing = createOutgoing({
    db,
    facts,
    jobs,
    config,
    logger,
    now,
    brandOf,
    mayStillNotify,
    openAttachment,
  })
  return {
    name: 'outgoing',
    roles: ['api', 'jobs'],
    outgoing,
    routes: outgoingRoutes({
      ...{ db, outgoing, receiptToken: config.SMS_RECEIPT_TOKEN },
      hasBrand: (id) => brands.directory.list().some((brand) => brand.id === id),
    }),
    jobs: outgoing.jobs,
    start: () => outgoing.start(),
    stop: () => outgoing.close(),
    metrics: () => outgoing.metrics(),
  }
}
