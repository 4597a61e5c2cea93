import { brands as contract } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { type Db, findEnterpriseFace } from './brands-store.ts'
import { presentBrand, presentFace, presentLogo } from './brands-views.ts'

/** The calls for the name and the look of a page on its host. */
export function brandsRoutes(db: Db): Binding[] {
  return [
    bind(contract.getBrand, (_, { brand }) => presentBrand(brand)),

    bind(contract.getLogo, async ({ eid = 0 }, { brand, lang }) =>
      presentLogo(eid > 0 ? await findEnterpriseFace(db, eid) : undefined, brand, lang),
    ),

    bind(contract.getCustomInfo, async ({ eid }, { brand, lang }) => {
      const face = await findEnterpriseFace(db, eid)
      if (!face) throw new Failure('403')
      return presentFace(face, brand, lang)
    }),

    bind(contract.getVersions, ({ client }, { brand }) => brand.versions[client]),
  ]
}
