import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import { type BrandsModule, linkSource } from '../brands/index.ts'
import { createOutgoing, type Outgoing, type OutgoingDeps } from './outgoing.ts'
import { outgoingRoutes } from './outgoing-routes.ts'
import { readBounceToken } from './providers.ts'
import { createUnsubscribeUrl, type UnsubscribeUrlOf } from './unsubscribe-link.ts'

export interface OutgoingModule extends Module {
  readonly outgoing: Outgoing
  readonly unsubscribeUrlOf: UnsubscribeUrlOf
}

/** SMS and e-mail. */
export function createOutgoingModule(
  { db, facts, jobs, config, ports, secrets, logger, now }: Kernel,
  {
    brands,
    ...answers
  }: { readonly brands: BrandsModule } & Pick<
    OutgoingDeps,
    'mayStillNotify' | 'listMailsOff' | 'openAttachment' | 'providers'
  >,
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
    ...answers,
  })
  return {
    name: 'outgoing',
    roles: ['api', 'jobs'],
    outgoing,
    unsubscribeUrlOf: createUnsubscribeUrl(linkSource({ config, ports }, brands.directory), secrets),
    routes: outgoingRoutes({
      ...{ db, facts, now, outgoing, receiptToken: config.SMS_RECEIPT_TOKEN },
      bounceToken: readBounceToken(config.BOUNCE_TOKEN_FILE),
      hasBrand: (id) => brands.directory.list().some((brand) => brand.id === id),
    }),
    jobs: outgoing.jobs,
    start: () => outgoing.start(),
    stop: () => outgoing.close(),
    metrics: () => outgoing.metrics(),
  }
}
