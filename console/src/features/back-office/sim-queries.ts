import { operator, simLimits } from '@busbar/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { operatorKey } from './operator-queries.ts'

/** All plans of SIM cards, to choose from. */
export const everySimPlanQuery = queryOptions({
  queryKey: [...operatorKey, 'simPlans', 'every'],
  queryFn: async ({ signal }) => {
    const pageSize = 200
    const plans: operator.PlanRow[] = []
    for (let page = 1; plans.length < simLimits.plansMax; page++) {
      const { list } = await call(operator.listPlans, { page, pageSize }, { signal })
      plans.push(...list)
      if (list.length < pageSize) break
    }
    return plans
  },
})

/** The accounts at carriers. */
export const simCarriersQuery = queryOptions({
  queryKey: [...operatorKey, 'simCarriers'],
  queryFn: ({ signal }) => call(operator.listCarriers, {}, { signal }),
  staleTime: 0,
})
