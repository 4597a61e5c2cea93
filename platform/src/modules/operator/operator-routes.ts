import { operator as contract } from '@busbar/contract'
import type { EdgeLink } from '../../edge-link/edge-link.ts'
import type { Figures } from '../../kernel/figures.ts'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { endSessionsOfBrand } from '../accounts/index.ts'
import { auditAct, listEntries } from '../audit/index.ts'
import {
  archiveBrand,
  type BrandDirectory,
  createBrand,
  unarchiveBrand,
  updateBrand,
} from '../brands/index.ts'
import { readTargetNames } from './audit-names.ts'
import { updateEnterprise } from './enterprises-service.ts'
import * as store from './operator-store.ts'
import * as views from './operator-views.ts'
import { readOverview } from './overview.ts'
import { answerPage, pageOf } from './paging.ts'
import { renewLabel } from './register-service.ts'
import { listMachines } from './register-store.ts'
import { subjectOf } from './subjects-store.ts'
import { updateUser } from './users-service.ts'

interface OperatorDeps {
  readonly db: store.Db
  /** Connections of searches. */
  readonly lists: store.Db
  readonly brands: BrandDirectory
  readonly figures: () => Figures
  readonly link: Pick<EdgeLink, 'presence'>
  /** Epoch milliseconds. */
  readonly startedAt: number
}

/** The back office. Everything an operator changes, and every look into other people's messages, is in the audit log. */
export function operatorRoutes(deps: OperatorDeps): Binding[] {
  const { db, lists, brands, figures, link, startedAt } = deps
  return [
    bind(contract.getOverview, (_, { now }) => readOverview(db, figures(), { now, startedAt })),

    bind(contract.listBrands, ({ page, pageSize, search, only }) => {
      const wished = search?.toLowerCase() ?? ''
      const found = brands
        .list()
        .filter(({ archivedAt }) => only === undefined || (archivedAt !== null) === (only === 'archived'))
        .filter(({ platformName, hosts }) =>
          [platformName.cn, platformName.en, ...hosts].some((text) => text.toLowerCase().includes(wished)),
        )
      const rows = found.slice((page - 1) * pageSize, page * pageSize)
      return answerPage({ rows, total: found.length }, { page, pageSize }, (brand) => ({
        ...brand,
        hosts: [...brand.hosts],
        downloads: [...brand.downloads],
        archivedAt: brand.archivedAt?.getTime() ?? null,
      }))
    }),

    bind(contract.createBrand, async (fields, context) => {
      const id = await db.transaction().execute(async (trx) => {
        const made = await createBrand(trx, fields, brands)
        await brands.recordChange(trx, made, context.now)
        await auditAct(trx, context, {
          action: 'brand.create',
          target: fields.platformName.en,
          detail: { id: made, hosts: fields.hosts },
        })
        return made
      })
      await brands.catchUp()
      return { id }
    }),

    bind(contract.updateBrand, async ({ id, ...fields }, context) => {
      await db.transaction().execute(async (trx) => {
        await updateBrand(trx, id, fields, brands)
        await brands.recordChange(trx, id, context.now)
        await auditAct(trx, context, {
          action: 'brand.update',
          target: fields.platformName.en,
          detail: { id, hosts: fields.hosts },
        })
      })
      await brands.catchUp()
      return {}
    }),

    bind(contract.archiveBrand, async ({ id }, context) => {
      await db.transaction().execute(async (trx) => {
        const target = await archiveBrand(trx, id, context.now)
        await endSessionsOfBrand(trx, id)
        await brands.recordChange(trx, id, context.now)
        await auditAct(trx, context, { action: 'brand.archive', target, detail: { id } })
      })
      await brands.catchUp()
      return {}
    }),

    bind(contract.unarchiveBrand, async ({ id }, context) => {
      await db.transaction().execute(async (trx) => {
        const target = await unarchiveBrand(trx, id)
        await brands.recordChange(trx, id, context.now)
        await auditAct(trx, context, { action: 'brand.unarchive', target, detail: { id } })
      })
      await brands.catchUp()
      return {}
    }),

    bind(contract.listUsers, async (input) =>
      answerPage(await store.listUsers(lists, pageOf(input), input.only, input), input, views.presentUser),
    ),

    bind(contract.updateUser, async (input, context) => {
      await updateUser(db, context, input)
      return {}
    }),

    bind(contract.listEnterprises, async (input) =>
      answerPage(await store.listEnterprises(lists, pageOf(input), input), input, views.presentEnterprise),
    ),

    bind(contract.updateEnterprise, async (input, context) => {
      await updateEnterprise(db, context, input)
      return {}
    }),

    bind(contract.listMachines, async (input) => {
      const found = await listMachines(lists, pageOf(input), input.only, input)
      const presence = await link.presence(found.rows.map(({ id }) => id))
      return answerPage(found, input, (row) =>
        views.presentMachine(row, presence.get(row.id)?.online === true),
      )
    }),

    bind(contract.renewMachineLabel, ({ id }, context) => renewLabel(db, context, id)),

    bind(contract.listOutgoing, async (input, context) => {
      // It contains codes: a reader could use them to sign in as another person.
      await auditAct(db, context, {
        action: 'outbox.read',
        target: input.search ?? '',
        detail: input.userId === undefined ? {} : { userId: input.userId },
      })
      const found = await store.listOutgoing(lists, pageOf(input), input, contract.rowsCountedMax)
      return answerPage(found, input, views.presentOutgoing)
    }),

    bind(contract.listAudit, async (input) => {
      const filter = {
        actorUserId: input.userId,
        result: input.result,
        from: input.from === undefined ? undefined : new Date(input.from),
        to: input.to === undefined ? undefined : new Date(input.to),
        search: input.search,
        about: await subjectOf(lists, input),
        isOldestFirst: input.sort === 'at' && input.order === 'asc',
      }
      const { offset, count } = pageOf(input)
      const found = await listEntries(lists, filter, { offset, count, countedMax: contract.rowsCountedMax })
      const nameOf = await readTargetNames(lists, found.rows)
      return answerPage(found, input, (row) => views.presentAudit(row, nameOf(row)))
    }),
  ]
}
