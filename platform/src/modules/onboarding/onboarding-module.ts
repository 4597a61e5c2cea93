import { onboarding as contract } from '@busbar/contract'
import { isHttps } from '../../config.ts'
import type { DuringFollower } from '../../kernel/facts/follower.ts'
import { bind } from '../../kernel/http/bind.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { AccessPort } from '../access/index.ts'
import { type BrandsModule, consoleOrigin, linkSource } from '../brands/index.ts'
import type { Downloads } from '../downloads/index.ts'
import type { MessagesModule } from '../messages/index.ts'
import { addressesOf } from './machine-addresses.ts'
import * as service from './onboarding-service.ts'
import { findRegistered } from './onboarding-store.ts'
import * as links from './setup-links.ts'
import { findLinkOf, removeLinkOf, removeLinksOver } from './setup-links-store.ts'
import { setupScript } from './setup-script.ts'

interface Deps {
  readonly access: AccessPort
  readonly brands: BrandsModule
  readonly downloads: Downloads
  readonly messages: MessagesModule
}

/** For this long a link that is over says so. */
const keptMs = 86_400_000

/** Machines that people register themselves, and the links that set their agents up. */
export function createOnboardingModule(kernel: Kernel, deps: Deps): Module {
  const { config, db, bus, facts, secrets, ports, now } = kernel
  const { directory } = deps.brands
  const source = linkSource(kernel, directory)
  const originOf = (host: string) =>
    consoleOrigin({ brands: directory, publicUrl: source.publicUrl, https: isHttps(config) }, host)
  const own: service.OnboardingDeps = {
    ...{ db, bus, facts, secrets, access: deps.access, mailbox: deps.messages.mailbox },
    ...{ brands: directory, originOf, codes: config.SELF_REGISTERED_CODES },
    max: { person: config.SELF_REGISTERED_PERSON_MAX, enterprise: config.SELF_REGISTERED_ENTERPRISE_MAX },
    addressesOf: (host) => addressesOf(originOf(host), config, ports),
  }
  /** The secret that a link hands out is not the machine's any more. */
  const linkEnds: DuringFollower<'machine.ownerChanged' | 'machine.secretReset'> = {
    mode: 'during',
    name: 'onboarding.linkEnds',
    kinds: ['machine.ownerChanged', 'machine.secretReset'],
    async follow(trx, ended) {
      for (const fact of ended)
        if (fact.kind !== 'machine.ownerChanged' || !fact.isFirst) await removeLinkOf(trx, fact.machineId)
    },
  }

  return {
    name: 'onboarding',
    roles: ['api'],
    follows: [linkEnds],
    jobs: [
      { name: 'onboarding.removeAbandoned', everyS: 3_600, run: () => service.removeAbandoned({ db, now }) },
      {
        name: 'onboarding.removeLinks',
        everyS: 3_600,
        run: () => removeLinksOver(db, new Date(now() - keptMs)),
      },
    ],
    routes: [
      bind(contract.getOnboarding, ({ eid }, { user }) => service.getLimit(own, user.userId, eid)),
      bind(contract.connectMachine, (input, context) => service.connect(own, context, input)),
      bind(contract.getSetup, async ({ machineId }) => {
        const [registered, link] = await Promise.all([
          findRegistered(db, machineId),
          findLinkOf(db, machineId),
        ])
        const msOf = (at: Date | null | undefined) => at?.getTime() ?? null
        return {
          kind: registered?.kind ?? 'agent',
          link: link
            ? {
                expireAt: link.expire_at.getTime(),
                askedAt: msOf(link.asked_at),
                acknowledgedAt: msOf(link.acknowledged_at),
              }
            : null,
          connectedAt: msOf(registered?.connectedAt),
        }
      }),
      bind(contract.createSetupLink, (input, { user, address, host, now }) =>
        links.createLink(own, { ...user, address, host, now }, input),
      ),
      bind(contract.getSetupScript, async ({ token, system }, { host, now, takeLimit, setHeader }) => {
        setHeader('content-type', 'text/plain; charset=utf-8')
        return setupScript(system, async () => {
          await takeLimit()
          await links.requireLink(own, { token, host, now })
          const offered = await deps.downloads.list()
          // Other programs have packages for the same systems.
          const files = offered.files.filter(({ program }) => program === 'busbar-agent')
          return { origin: originOf(host), setupUrl: links.urlOf(originOf(host), token), files }
        })
      }),
      bind(contract.takeSetupSecret, ({ token }, { host, address, now }) =>
        links.takeSecret(own, { token, host, address, now }),
      ),
      bind(contract.acknowledgeSetup, async ({ token }, { host, address, now }) => {
        await links.acknowledge(own, { token, host, address, now })
        return {}
      }),
    ],
  }
}
