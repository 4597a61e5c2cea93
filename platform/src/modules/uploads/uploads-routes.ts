import { brands as contract } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { auditAct } from '../audit/index.ts'
import { createUpload } from './uploads-service.ts'
import { type Db, isEnterpriseAdmin, mayHoldKey } from './uploads-store.ts'

interface Deps {
  readonly db: Db
  isOperator(userId: number): Promise<boolean>
}

/** Taking pictures in; `registerUploads` gives them out. */
export function uploadsRoutes({ db, isOperator }: Deps): Binding[] {
  async function mayUpload(userId: number, purpose: contract.UploadPurpose): Promise<boolean> {
    if (purpose === 'logo' && (await isEnterpriseAdmin(db, userId))) return true
    // Everybody has a space of their own, in which they may add a site.
    if (purpose === 'sitePlan') return true
    if (purpose === 'projectImage') return mayHoldKey(db, userId)
    return isOperator(userId)
  }

  return [
    bind(contract.createUpload, async ({ purpose, file }, context) => {
      const { user } = context
      if (!(await mayUpload(user.userId, purpose))) throw new Failure('403')
      const bytes = Buffer.from(await file.arrayBuffer())
      const url = await createUpload(db, { userId: user.userId, purpose, bytes })
      await auditAct(db, context, { action: 'picture.upload', target: url, detail: { purpose } })
      return { url }
    }),
  ]
}
