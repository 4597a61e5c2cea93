import { projectData as contract } from '@busbar/contract'
import { isHttps } from '../../config.ts'
import { bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { AccessPort } from '../access/index.ts'
import { findUserByAccount, parseAccountName } from '../accounts/index.ts'
import type { ProjectsModule } from '../projects/index.ts'
import {
  type EmbeddedVisits,
  type EmbeddingPort,
  embeddingCodeMs,
  type VisitAddress,
  type VisitsModule,
} from '../visits/index.ts'
import { findEmbeddingProject, findTerms, isMember } from './embedding-store.ts'

interface Deps {
  readonly access: AccessPort
  readonly projects: ProjectsModule
  readonly visits: VisitsModule
  readonly address: VisitAddress
}

/** A link as it is now. Throws 503 where that is not known, which must not count as an end. */
async function findLink(links: ProjectsModule['links'], projectId: number, machineId: number) {
  await links.catchUp()
  if (!links.isTrusted()) throw new Failure('503', { data: { retryIn: 1 } })
  return links.find(projectId, machineId)
}

/** Terms of projects for the visits in their portals. */
export function createEmbeddingPort({ links }: Pick<ProjectsModule, 'links'>): EmbeddingPort {
  return {
    async find(db, of, now) {
      const link = await findLink(links, of.projectId, of.machineId)
      const terms = link?.linkId === of.linkId ? await findTerms(db, of, now) : undefined
      return (
        link &&
        terms && {
          origins: terms.origins,
          mayControl: link.mayVisit,
          endsAt: terms.keyEndsAt?.getTime(),
        }
      )
    },
    isHeld: ({ projectId, linkId, machineId }) => links.find(projectId, machineId)?.linkId === linkId,
    subscribe: (listener) => links.subscribe(() => listener()),
  }
}

/** Addresses of visits for somebody's own portal (rules/projects.md: embedding). */
export function createEmbeddingModule({ config, db }: Kernel, deps: Deps): Module {
  const { access, projects, visits, address } = deps
  const embedded: Pick<EmbeddedVisits, 'createCode'> = visits.visits.embedded
  return {
    name: 'embedding',
    roles: ['api'],
    routes: [
      bind(contract.getEmbeddedVisit, async ({ privateKey, machineCode, ...person }, context) => {
        const { now } = context
        const { projectId, keyId } = await projects.keys.find(privateKey, { from: context.address })
        if (!isHttps(config)) throw new Failure('EMBEDDING_HTTPS')
        const project = await findEmbeddingProject(db, projectId)
        if (!project?.mayEmbed) throw new Failure('EMBEDDING_OFF')
        if (project.origins.length === 0) throw new Failure('EMBEDDING_ORIGINS')
        const userId = person.userId ?? (await findUserId(db, person.account ?? '', person.countryCode))
        const machineId = await access.machineOfCode(machineCode)
        const link =
          machineId === undefined ? undefined : await findLink(projects.links, projectId, machineId)
        if (userId === undefined || !link || !(await isMember(db, projectId, userId)))
          throw new Failure('404')
        const { machineId: id } = link
        if (!(await access.has(userId, 'visitor+', [id], now)))
          throw new Failure(
            (await access.denialReason(userId, id, now)) === 'CLOUD_EXPIRED' ? 'CLOUD_EXPIRED' : 'WRONG_ROLE',
          )
        const host = address.hostOf(machineCode, 'page', context.host)
        const visit = { projectId, keyId, userId, linkId: link.linkId, machineId: id, host }
        const code = await embedded.createCode(visit, now)
        return {
          url: `${address.urlOf(host)}.busbar/frame?code=${code}`,
          expireAt: now + embeddingCodeMs,
        }
      }),
    ],
  }
}

async function findUserId(
  db: Kernel['db'],
  account: string,
  countryCode: string,
): Promise<number | undefined> {
  const name = parseAccountName(account, countryCode)
  return name && (await findUserByAccount(db, name))?.id
}
