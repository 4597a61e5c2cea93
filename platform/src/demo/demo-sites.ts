import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Lang } from '@busbar/contract'
import type { Transaction } from 'kysely'
import type { DB } from '../kernel/database/schema.gen.ts'
import { insertPlan, insertSite, listInSpace, type Mark, placeMarks } from '../modules/places/index.ts'
import { createUpload } from '../modules/uploads/index.ts'
import type { DemoPlant } from './demo-enterprise.ts'

interface DemoSite {
  readonly name: Readonly<Record<Lang, string>>
  readonly address: Readonly<Record<Lang, string>>
  readonly lat: number
  readonly lng: number
  /** The machines by their trade, as parts of the picture. */
  readonly stands: Readonly<Record<string, readonly [x: number, y: number]>>
}

const planName = { cn: '一层', en: 'Ground floor' } as const satisfies Record<Lang, string>

const demoSites: readonly DemoSite[] = [
  {
    name: { cn: '北滘注塑车间', en: 'Beijiao moulding hall' },
    address: {
      cn: '广东省佛山市顺德区北滘镇工业大道 27 号',
      en: '27 Gongye Avenue, Beijiao, Shunde, Foshan, Guangdong, China',
    },
    ...{ lat: 22.8149, lng: 113.2438 },
    stands: { 'injection-press': [0.155, 0.21], 'material-feeding': [0.315, 0.3] },
  },
  {
    name: { cn: '昆山机加工厂房', en: 'Kunshan machining hall' },
    address: {
      cn: '江苏省昆山市经济技术开发区前进东路 399 号',
      en: '399 Qianjin East Road, Kunshan Economic Zone, Jiangsu, China',
    },
    ...{ lat: 31.3505, lng: 120.993 },
    stands: { 'machining-centre': [0.56, 0.22], 'screw-compressor': [0.125, 0.75] },
  },
]
const radiusM = 400

/** Sites of each demo account with a plan and the machines that are there, made once. */
export async function createDemoSites(trx: Transaction<DB>, plant: DemoPlant): Promise<void> {
  const { lang, ownerId: userId, machineIds, madeAt } = plant
  const known = await trx
    .selectFrom('sites')
    .select('id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst()
  if (known) return
  const bytes = await readFile(path.join(import.meta.dirname, 'demo-hall.svg'))
  const picture = await createUpload(trx, { userId, purpose: 'sitePlan', bytes })
  const space = { userId }
  const listed = await listInSpace(trx, space, [...machineIds.values()])
  for (const { name, address, lat, lng, stands } of demoSites) {
    const body = { name: name[lang], address: address[lang], lat, lng, radiusM }
    const siteId = await insertSite(trx, space, body, { userId, at: new Date(madeAt) })
    const planId = await insertPlan(trx, siteId, { name: planName[lang], picture })
    const marks = Object.entries(stands).flatMap(([trade, [x, y]]): Mark[] => {
      const machineId = machineIds.get(trade)
      return machineId !== undefined && listed.has(machineId) ? [{ machineId, x, y }] : []
    })
    await placeMarks(trx, space, planId, marks)
  }
}
