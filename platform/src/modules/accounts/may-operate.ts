import { Failure } from '../../kernel/http/failure.ts'
import { type Db, findUser } from './accounts-store.ts'
import { hasSecondFactor } from './second-factors-store.ts'

/**
 * Whether a person may work in the back office now. `factor`: only with a second factor; throws OPERATOR_FACTOR_NEEDED
 * to an operator without one.
 */
export async function mayOperate(db: Db, userId: number, needs: { factor: boolean }): Promise<boolean> {
  const user = await findUser(db, userId)
  if (!user.is_operator || user.state !== 'active') return false
  if (needs.factor && !(await hasSecondFactor(db, userId))) throw new Failure('OPERATOR_FACTOR_NEEDED')
  return true
}
