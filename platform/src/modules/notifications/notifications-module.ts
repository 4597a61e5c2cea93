import type { Follower } from '../../kernel/facts/follower.ts'
import { onNextOwner } from '../../kernel/facts/next-owner.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { AccessPort } from '../access/index.ts'
import { logoAddress } from '../accounts/verification-codes/index.ts'
import type { TagSource } from '../alarms/index.ts'
import { type Brand, type BrandsModule, brandOrigin, linkSource } from '../brands/index.ts'
import type { EnterprisesModule } from '../enterprises/index.ts'
import type { MessagesModule } from '../messages/index.ts'
import type { OutgoingModule } from '../outgoing/index.ts'
import { createContactsPart } from './contacts-module.ts'
import { sendDigests } from './digests.ts'
import { followAlarms, followOutcomes, followReceipts } from './follow-facts.ts'
import { makeLinks } from './links-make.ts'
import { LiveFrames } from './live-frames.ts'
import { notificationsRoutes } from './notifications-routes.ts'
import { endOfOwner, removeOld } from './notifications-store.ts'
import type { NotifyDeps } from './notify-alarms.ts'
import { notifySteps } from './notify-steps.ts'
import { removeMachineSettings } from './settings-store.ts'

/** A digest is late by this at most. */
const digestsEveryS = 5
/** The record of notifications is kept as long as averages of a minute. */
const keptMs = 366 * 86_400_000
const removeEveryS = 3_600
const removedAtOnce = 5_000

interface Deps {
  readonly access: AccessPort
  readonly tags: TagSource
  readonly enterprises: EnterprisesModule
  readonly messages: MessagesModule
  readonly brands: BrandsModule
  readonly outgoing: OutgoingModule
}

/** Notifies people of alarms. */
export function createNotificationsModule(kernel: Kernel, deps: Deps): Module {
  const { db, pools, config, now } = kernel
  const { access, tags, enterprises, messages, brands, outgoing } = deps
  const source = linkSource(kernel, brands.directory)
  const originOf = (brand: Brand) => brandOrigin(source, brand)
  const tell: NotifyDeps = {
    access,
    tags,
    mailbox: messages.mailbox,
    now,
    outgoing: outgoing.outgoing,
    brandOf: (id) => brands.directory.get(id),
    originOf,
    logoOf: ({ logoUrl }) => logoAddress(logoUrl, config.PUBLIC_URL),
    makeLinks: (trx, mails, at) => makeLinks(originOf, trx, mails, at),
    unsubscribeUrlOf: outgoing.unsubscribeUrlOf,
  }
  const contacts = createContactsPart(kernel, {
    access,
    tags,
    enterprises,
    brands,
    outgoing,
    mailbox: messages.mailbox,
    tell: (trx, messages, at) => notifySteps(tell, trx, messages, at),
  })
  const frames = new LiveFrames({ ...tell, db, logger: kernel.logger })
  const follows = [
    ...contacts.follows,
    frames.follower,
    followAlarms(tell),
    followOutcomes,
    followReceipts,
    onNextOwner('notifications.ownerChanged', async (trx, { machineId, at }) => {
      await removeMachineSettings(trx, machineId)
      await endOfOwner(trx, machineId, new Date(at))
    }),
  ] as unknown as readonly Follower[]
  return {
    name: 'notifications',
    roles: ['api', 'jobs'],
    routes: [
      ...notificationsRoutes({
        ...{ db, lists: pools.lists, access, tags, guards: enterprises.guards },
        ...{ mailbox: messages.mailbox, outgoing: outgoing.outgoing, brandOf: tell.brandOf },
        signatureOf: outgoing.outgoing.signatureOf,
      }),
      ...contacts.routes,
    ],
    follows,
    stop: () => frames.stop(),
    jobs: [
      ...contacts.jobs,
      {
        name: 'notifications.sendDigests',
        everyS: digestsEveryS,
        run: () => sendDigests({ ...tell, db }),
      },
      {
        name: 'notifications.removeOld',
        everyS: removeEveryS,
        async run({ signal, now: at }) {
          while (!signal.aborted && (await removeOld(db, new Date(at - keptMs), removedAtOnce)));
        },
      },
    ],
  }
}
