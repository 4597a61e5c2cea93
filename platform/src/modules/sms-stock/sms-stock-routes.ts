import { smsStock as contract } from '@busbar/contract'
import type { Database } from '../../kernel/database/database.ts'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { EnterpriseGuards } from '../enterprises/index.ts'
import * as service from './sms-stock-service.ts'
import * as views from './sms-stock-views.ts'

export interface SmsStockDeps {
  readonly db: Database
  readonly lists: Database
  readonly guards: Pick<EnterpriseGuards, 'hasEnterpriseRight'>
}

const sliceOf = ({ page, pageSize }: { readonly page: number; readonly pageSize: number }) => ({
  offset: (page - 1) * pageSize,
  count: pageSize,
})

/** SMS stocks: an operator's recharges, an enterprise's allocations, and their records. */
export function smsStockRoutes({ db, lists, guards }: SmsStockDeps): Binding[] {
  return [
    bind(contract.changeStock, async (input, context) => ({
      remaining: await service.changeStock(db, context, input),
    })),

    bind(contract.listStocks, async ({ search, only, ...paging }, { now }) => ({
      ...(await views.listStocks(lists, sliceOf(paging), search, only, now)),
      page: paging.page,
      pageSize: paging.pageSize,
    })),

    bind(contract.listStockSales, async ({ eid, userId, page, pageSize }) => {
      const sales = await views.listSales(lists, { userId, enterpriseId: eid }, sliceOf({ page, pageSize }))
      return { ...sales, page, pageSize }
    }),

    bind(contract.listSales, async ({ eid, page, pageSize }, { user }) => {
      if (eid !== undefined && !(await guards.hasEnterpriseRight(user.userId, eid, 'member')))
        throw new Failure('403')
      const owner = eid === undefined ? { userId: user.userId } : { enterpriseId: eid }
      const { list, total } = await views.listSales(lists, owner, sliceOf({ page, pageSize }))
      return { list: list.map(({ by: _, ...sale }) => sale), total, page, pageSize }
    }),

    bind(contract.getMemberStock, async ({ eid, userId }) => {
      const { list } = await views.listMemberStocks(db, eid, { offset: 0, count: 1 }, { userId })
      const [row] = list
      if (!row) throw new Failure('404')
      const { stock, allocated, used, createTime, expireAt } = row
      return { stock, allocated, used, createTime, expireAt }
    }),

    bind(contract.listMemberStocks, async ({ eid, page, pageSize, search }) => ({
      ...(await views.listMemberStocks(lists, eid, sliceOf({ page, pageSize }), { search })),
      stock: await views.readStock(db, { enterpriseId: eid }),
      page,
      pageSize,
    })),

    bind(contract.transferStock, (input, context) => service.transferStock(db, context, input)),

    bind(contract.listAllocations, async (input, { user }) => {
      const { eid, page, pageSize, operate, startTime, endTime } = input
      const isAllocating = await guards.hasEnterpriseRight(user.userId, eid, 'sms')
      const userId = isAllocating ? input.userId : user.userId
      const filter = { act: operate, from: startTime, to: endTime, userId }
      return { ...(await views.listAllocations(lists, eid, sliceOf(input), filter)), page, pageSize }
    }),
  ]
}
