import { reports } from '@busbar/contract'
import { onNextOwner } from '../../kernel/facts/next-owner.ts'
import { bind } from '../../kernel/http/bind.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { AccessPort } from '../access/index.ts'
import type { TagSource } from '../alarms/index.ts'
import { type BrandsModule, brandOrigin, linkSource } from '../brands/index.ts'
import type { EnterprisesModule } from '../enterprises/index.ts'
import type { Mailbox } from '../messages/index.ts'
import type { OutgoingModule } from '../outgoing/index.ts'
import { contactsRoutes } from './contacts-routes.ts'
import { leftKeptMs } from './contacts-service.ts'
import {
  createAddressHashes,
  removeForgotten,
  removeMachineFromContacts,
  removeOldAsks,
} from './contacts-store.ts'
import { escalationRoutes } from './escalation-routes.ts'
import { escalateDue, escalationFollower, type RunsDeps } from './escalation-runs.ts'
import { endRunsOfMachine } from './escalation-runs-store.ts'
import { removeSteps } from './escalation-store.ts'
import { linksRoutes } from './links-routes.ts'
import { removeExpiredLinks, removeLinksOfMachine } from './links-store.ts'
import { answerReportRequest } from './report-requests.ts'

/** A step that is due is taken within this. */
const escalateEveryS = 5
const housekeepingS = 3_600
/** Longer than the day that mails are counted in. */
const asksKeptMs = 2 * 86_400_000

interface Deps {
  readonly access: AccessPort
  readonly brands: BrandsModule
  readonly enterprises: EnterprisesModule
  readonly outgoing: OutgoingModule
  readonly tags: TagSource
  readonly mailbox: Mailbox
  readonly tell: RunsDeps['tell']
}

/** Contacts, escalation and links of mails, as the module of notifications takes them up. */
export function createContactsPart(
  { db, facts, secrets, config, ports, now }: Kernel,
  { access, brands, enterprises, outgoing, tags, mailbox, tell }: Deps,
): Required<Pick<Module, 'routes' | 'jobs' | 'follows'>> {
  const hashes = createAddressHashes(secrets)
  const source = linkSource({ config, ports }, brands.directory)
  return {
    routes: [
      ...contactsRoutes({
        db,
        access,
        outgoing: outgoing.outgoing,
        originOf: (brand) => brandOrigin(source, brand),
        unsubscribeUrlOf: outgoing.unsubscribeUrlOf,
        hashes,
      }),
      ...linksRoutes({ db, access, facts, box: secrets, hashes, tags, mailbox }),
      bind(reports.answerReportRequest, async ({ id, agree }, { user, now }) => {
        await answerReportRequest(db, user.userId, { id, agree, now })
        return {}
      }),
      ...escalationRoutes({ db, access, guards: enterprises.guards }),
    ],
    jobs: [
      {
        name: 'notifications.escalate',
        everyS: escalateEveryS,
        run: (run) => escalateDue({ db, access, tell }, run),
      },
      {
        name: 'notifications.removeExpired',
        everyS: housekeepingS,
        run: async (run) => {
          await removeExpiredLinks(db, new Date(run.now))
          await removeOldAsks(db, new Date(run.now - asksKeptMs))
          await removeForgotten(db, new Date(run.now - leftKeptMs))
        },
      },
    ],
    follows: [
      escalationFollower({ now }),
      onNextOwner('notifications.contactsOwnerChanged', async (trx, { machineId, at }) => {
        await removeMachineFromContacts(trx, machineId)
        await removeSteps(trx, machineId)
        await removeLinksOfMachine(trx, machineId)
        await endRunsOfMachine(trx, machineId, new Date(at))
      }),
    ],
  }
}
